/**
 * Windows of a grid as templates, for both backends. Start with {@link sc.fiji.ncc.windows.TemplateWindows}.
 */
package sc.fiji.ncc.windows;
