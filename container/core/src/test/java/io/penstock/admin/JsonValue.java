package io.penstock.admin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A parser for the JSON that the server writes, a subset of RFC 8259. Objects become maps, arrays become lists, and numbers become doubles.
 */
public final class JsonValue {
    private final String text;
    private int at;

    private JsonValue(String text) {
        this.text = text;
    }

    public static Object read(String text) {
        JsonValue reader = new JsonValue(text);
        Object value = reader.value();
        reader.expect(reader.at == text.length());
        return value;
    }

    /** Returns the value at a path. A step of the path is a member name or an array index. */
    public static Object at(Object value, Object... path) {
        Object found = value;
        for (Object step : path) {
            found = step instanceof Integer place ? ((List<?>) found).get(place) : ((Map<?, ?>) found).get(step);
            if (found == null) {
                throw new AssertionError("no " + step + " in " + value);
            }
        }
        return found;
    }

    private void expect(boolean holds) {
        if (!holds) {
            throw new AssertionError("invalid JSON at index " + at + ": " + text);
        }
    }

    private char next() {
        expect(at < text.length());
        return text.charAt(at++);
    }

    private Object value() {
        char first = next();
        if (first == '{') {
            return object();
        }
        if (first == '[') {
            return array();
        }
        if (first == '"') {
            return string();
        }
        at--;
        int begin = at;
        for (String truth : List.of("true", "false")) {
            if (text.startsWith(truth, at)) {
                at += truth.length();
                return Boolean.valueOf(truth);
            }
        }
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(begin, at);
        expect(number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?"));
        return Double.valueOf(number);
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        if (text.charAt(at) == '}') {
            at++;
            return members;
        }
        while (true) {
            expect(next() == '"');
            String name = string();
            expect(next() == ':');
            expect(members.put(name, value()) == null);
            char separator = next();
            if (separator == '}') {
                return members;
            }
            expect(separator == ',');
        }
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        if (text.charAt(at) == ']') {
            at++;
            return elements;
        }
        while (true) {
            elements.add(value());
            char separator = next();
            if (separator == ']') {
                return elements;
            }
            expect(separator == ',');
        }
    }

    private String string() {
        StringBuilder read = new StringBuilder();
        for (char c = next(); c != '"'; c = next()) {
            expect(c >= ' ');
            read.append(c == '\\' ? escaped() : c);
        }
        return read.toString();
    }

    private char escaped() {
        char c = next();
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        expect(c == '"' || c == '\\');
        return c;
    }
}
