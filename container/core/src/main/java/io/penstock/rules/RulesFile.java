package io.penstock.rules;

import io.penstock.http.FieldSyntax;
import io.penstock.limits.OperatorFile;
import io.penstock.mapping.UrlPattern;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads a rules file in UTF-8. A rule is a line {@code PATTERN Field-Name: value}, or {@code PATTERN fingerprinted Field-Name: value}. A
 * line that begins with a space continues the previous line. Empty lines and lines that begin with {@code #} are ignored.
 *
 * <p>Thread: one.
 */
final class RulesFile {
    private static final String FINGERPRINTED = "fingerprinted";
    private static final String CROSS_ORIGIN = "access-control-";

    /** Fields that rules cannot set: fields about framing and the connection, and fields whose value differs from response to response. */
    private static final Set<String> NOT_FOR_RULES = Set.of(
            "accept-ranges",
            "age",
            "allow",
            "authentication-info",
            "connection",
            "content-encoding",
            "content-length",
            "content-range",
            "content-type",
            "date",
            "etag",
            "host",
            "keep-alive",
            "last-modified",
            "location",
            "proxy-authenticate",
            "proxy-authentication-info",
            "proxy-connection",
            "retry-after",
            "sec-websocket-accept",
            "sec-websocket-extensions",
            "sec-websocket-protocol",
            "server-timing",
            "set-cookie",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "www-authenticate");

    private final Path file;

    /** The choices by field name in lower case. */
    private final Map<String, List<FieldRule.Choice>> choices = new LinkedHashMap<>();

    private final Map<String, String> spelling = new LinkedHashMap<>();
    private final Map<PathRule, CrossOriginLines> crossOrigin = new LinkedHashMap<>();

    RulesFile(Path file) {
        this.file = file;
    }

    /** @throws IOException if the file cannot be read or has an error; the one-line message names the file and the line */
    ResponseRules read() throws IOException {
        List<String> lines = OperatorFile.lines(file);
        int next = 0;
        while (next < lines.size()) {
            int first = next;
            StringBuilder rule = new StringBuilder(lines.get(next++).stripTrailing());
            if (isNothing(rule.toString().strip())) {
                continue;
            }
            while (next < lines.size() && isContinuation(lines.get(next))) {
                String more = lines.get(next++).strip();
                rule.append(isNothing(more) ? "" : " " + more);
            }
            add(rule.toString(), first + 1);
        }
        return rules();
    }

    private static boolean isContinuation(String line) {
        return !line.isBlank() && Character.isWhitespace(line.charAt(0));
    }

    private static boolean isNothing(String stripped) {
        return stripped.isEmpty() || stripped.startsWith("#");
    }

    private void add(String rule, int line) throws IOException {
        try {
            add(rule, file + ":" + line);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ":" + line + ": " + e.getMessage(), e);
        }
    }

    private void add(String rule, String where) {
        if (Character.isWhitespace(rule.charAt(0))) {
            throw new IllegalArgumentException("this line continues a rule, but no rule is before it");
        }
        String[] patternAndRest = rule.split("[ \t]+", 2);
        String rest = patternAndRest.length == 1 ? "" : patternAndRest[1];
        int colon = rest.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("not 'PATTERN Field-Name: value'");
        }
        String[] words = rest.substring(0, colon).split("[ \t]+", 2);
        boolean fingerprinted = words.length == 2 && words[0].equals(FINGERPRINTED);
        if (words.length == 2 && !fingerprinted) {
            throw new IllegalArgumentException(
                    "between pattern and field only '" + FINGERPRINTED + "' is possible, not '" + words[0] + "'");
        }
        PathRule paths = new PathRule(UrlPattern.ofOperator(patternAndRest[0]), fingerprinted);
        add(paths, words[words.length - 1], rest.substring(colon + 1).strip(), where);
    }

    private void add(PathRule paths, String name, String value, String where) {
        if (!FieldSyntax.isToken(name)) {
            throw new IllegalArgumentException("'" + name + "' is not the name of a field");
        }
        if (!FieldSyntax.isValue(value) || value.chars().anyMatch(c -> c > 126)) {
            throw new IllegalArgumentException("the value of " + name + " has a character that is not ASCII");
        }
        String key = name.toLowerCase(Locale.ROOT);
        if (NOT_FOR_RULES.contains(key)) {
            throw new IllegalArgumentException(
                    name + " is not for rules: the server or the application sets it for each response");
        }
        if (key.equals("strict-transport-security")) {
            throw new IllegalArgumentException(name + " is not for rules: set the key hsts");
        }
        if (key.startsWith(CROSS_ORIGIN)) {
            crossOrigin.computeIfAbsent(paths, CrossOriginLines::new).add(name, value, where);
            return;
        }
        choices.computeIfAbsent(key, unused -> new ArrayList<>()).add(FieldRule.Choice.of(paths, name, value));
        spelling.putIfAbsent(key, name);
    }

    private ResponseRules rules() throws IOException {
        List<FieldRule> fields = new ArrayList<>();
        choices.forEach((key, values) -> fields.add(new FieldRule(spelling.getOrDefault(key, key), values)));
        List<CrossOrigin> shared = new ArrayList<>();
        for (CrossOriginLines lines : crossOrigin.values()) {
            try {
                shared.add(lines.checked());
            } catch (IllegalArgumentException e) {
                throw new IOException(lines.where() + ": " + e.getMessage(), e);
            }
        }
        return new ResponseRules(fields, shared);
    }
}
