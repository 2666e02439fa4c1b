package sc.fiji.ncc.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON (RFC 8259) without a library, because the plugin has none in plain ImageJ. Objects become maps, lists lists, numbers doubles, and null null. Depth is
 * limited to {@value #DEPTH}.
 */
final class JsonText {

	private static final int DEPTH = 100;

	private final String text;
	private int at;

	private JsonText(final String text) {
		this.text = text;
	}

	/** @throws InputDataException if the text is not JSON; the message says where */
	static Object parse(final String text) throws InputDataException {
		final JsonText json = new JsonText(text);
		final Object value = json.value(0);
		json.blanks();
		if (json.at < text.length()) throw json.wrong();
		return value;
	}

	private InputDataException wrong() {
		int line = 1, column = 1;
		for (int i = 0; i < Math.min(at, text.length()); i++) {
			column = text.charAt(i) == '\n' ? 1 : column + 1;
			line += text.charAt(i) == '\n' ? 1 : 0;
		}
		return new InputDataException("line " + line + ", column " + column + " is not JSON");
	}

	private void blanks() {
		while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
	}

	private boolean skip(final char c) {
		blanks();
		if (at >= text.length() || text.charAt(at) != c) return false;
		at++;
		return true;
	}

	private void require(final char c) throws InputDataException {
		if (!skip(c)) throw wrong();
	}

	private Object value(final int depth) throws InputDataException {
		if (depth > DEPTH) throw wrong();
		if (skip('{')) return object(depth);
		if (skip('[')) {
			final List<Object> list = new ArrayList<>();
			if (skip(']')) return list;
			do list.add(value(depth + 1));
			while (skip(','));
			require(']');
			return list;
		}
		blanks();
		if (at < text.length() && text.charAt(at) == '"') return string();
		for (final String word : new String[] { "true", "false", "null" })
			if (text.startsWith(word, at)) {
				at += word.length();
				return word.equals("null") ? null : (Object) word.equals("true");
			}
		return number();
	}

	private Map<String, Object> object(final int depth) throws InputDataException {
		final Map<String, Object> object = new LinkedHashMap<>();
		if (skip('}')) return object;
		do {
			blanks();
			final String key = string();
			require(':');
			object.put(key, value(depth + 1));
		}
		while (skip(','));
		require('}');
		return object;
	}

	private Double number() throws InputDataException {
		int end = at;
		while (end < text.length() && "+-.0123456789eE".indexOf(text.charAt(end)) >= 0) end++;
		final String number = text.substring(at, end);
		if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) throw wrong();
		at = end;
		return Double.valueOf(number);
	}

	private String string() throws InputDataException {
		if (at >= text.length() || text.charAt(at) != '"') throw wrong();
		final StringBuilder s = new StringBuilder();
		for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
			final char c = text.charAt(at);
			if (c < ' ') throw wrong();
			if (c != '\\') {
				s.append(c);
				continue;
			}
			at++;
			final int known = at < text.length() ? "\"\\/bfnrt".indexOf(text.charAt(at)) : -1;
			if (known >= 0) s.append("\"\\/\b\f\n\r\t".charAt(known));
			else if (text.startsWith("u", at) && at + 4 < text.length() && text.substring(at + 1, at + 5).matches("[0-9a-fA-F]{4}")) {
				s.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
				at += 4;
			}
			else throw wrong();
		}
		if (at >= text.length()) throw wrong();
		at++;
		return s.toString();
	}
}
