/**
 * Many templates over small shifts in many frames at once, by tiles of the templates (Moore, Leeser and Smith King). Only the algorithm {@code
 * cuda-small-shifts} calls it. Start with {@link sc.fiji.ncc.cuda.shifts.SmallShiftsMethod}.
 */
package sc.fiji.ncc.cuda.shifts;
