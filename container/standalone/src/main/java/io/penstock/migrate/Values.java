package io.penstock.migrate;

import io.penstock.address.Network;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts values of Tomcat to values of Penstock. An {@link IllegalArgumentException} says why a value has none. */
final class Values {
    private static final int OCTETS = 4;
    private static final int OCTET_VALUES = 256;
    private static final int MOST_NETWORKS = 64;

    /** Alternatives for IPv6 addresses in the patterns of Tomcat's documentation and of its defaults. */
    private static final Map<String, String> IPV6 = Map.of(
            "0:0:0:0:0:0:0:1", "::1",
            "::1", "::1",
            "fe[89ab]\\p{XDigit}:.*", "fe80::/10",
            "f[cd]\\p{XDigit}{2}:.*", "fc00::/7",
            "fe80:.*", "fe80::/16");

    /** The fields of {@code access-log-format} for the letters of a pattern of Tomcat; empty if the letter has no information here. */
    private static final Map<String, String> LETTERS = Map.ofEntries(
            Map.entry("a", "c-ip"),
            Map.entry("h", "c-ip"),
            Map.entry("b", "sc-bytes"),
            Map.entry("B", "sc-bytes"),
            Map.entry("D", "x-total-us"),
            Map.entry("H", "cs-version"),
            Map.entry("l", ""),
            Map.entry("m", "cs-method"),
            Map.entry("q", "cs-uri-query"),
            Map.entry("r", "cs-method cs-uri cs-version"),
            Map.entry("s", "sc-status"),
            Map.entry("S", "x-session-id"),
            Map.entry("t", "date time"),
            Map.entry("T", "time-taken"),
            Map.entry("u", "cs-username"),
            Map.entry("U", "cs-uri-stem"),
            Map.entry("v", "cs(Host)"),
            Map.entry("X", "x-outcome"));

    /** The names that {@code cs(NAME)} and the like can have. */
    static final String FIELD_NAME = "[-!#$%&'*+./:^_`|~0-9A-Za-z]+";

    private static final Pattern TOKEN = Pattern.compile("%(?:[<>!0-9,]*)(?:\\{([^}]*)\\})?([A-Za-z])");
    private static final Pattern W3C_FIELD = Pattern.compile("(cs|sc|x-O|x-C|x-R)\\((" + FIELD_NAME + ")\\)");
    private static final String COMMON = "%h %l %u %t \"%r\" %s %b";
    private static final String COMBINED = COMMON + " \"%{Referer}i\" \"%{User-Agent}i\"";

    private Values() {}

    /** @param type the type in the table */
    static String convert(String type, String value) {
        return switch (type) {
            case "number" -> Long.toString(number(value));
            case "workers" -> Long.toString(Math.max(1, number(value)));
            case "ms" -> millis(number(value));
            case "msornone" -> isNone(value) ? "0s" : millis(number(value));
            case "files" -> isNone(value) ? "0" : Long.toString(Math.max(1, number(value)));
            case "s" -> number(value) + "s";
            case "minutes" -> isNone(value) ? "0m" : number(value) + "m";
            case "wholeminutes" -> isNone(value) ? "0m" : (number(value) + 59) / 60 + "m";
            case "bytes" -> Long.toString(number(value));
            case "onoff" -> Boolean.parseBoolean(value) ? "on" : "off";
            case "text" -> text(value);
            // A type counts with all its parameters.
            case "types" -> text(value).replaceAll("\\s*;[^,]*", "").replaceAll("\\s*,\\s*", ", ");
            case "agents" -> agents(value);
            default -> throw new IllegalStateException("no type of the table: " + type);
        };
    }

    /** Whether the number stands for no limit, of the settings that can have none here. */
    private static boolean isNone(String value) {
        return value.strip().matches("-[0-9]+|0");
    }

    private static String text(String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("the value is empty");
        }
        return value.strip();
    }

    /** A whole number. Tomcat writes -1 for no limit, which is not possible here. */
    static long number(String value) {
        long number;
        try {
            number = Long.parseLong(value.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + value + "' is not a whole number", e);
        }
        if (number < 0) {
            throw new IllegalArgumentException("there is always a limit; set a large one, or leave the default");
        }
        return number;
    }

    static String millis(long millis) {
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }

    /** Seconds for milliseconds, rounded up. */
    static String seconds(String millis) {
        return (number(millis) + 999) / 1000 + "s";
    }

    /** Parts of user agents for a regular expression that consists of them: {@code .*MSIE 6.*|.*Mozilla.*}. */
    private static String agents(String pattern) {
        return Arrays.stream(pattern.split("[|,]"))
                .map(part -> part.strip().replaceAll("^(\\.\\*)|(\\.\\*)$", "").replace("\\.", "."))
                .peek(part -> {
                    if (part.isEmpty() || !part.matches("[A-Za-z0-9 ./_;:-]+")) {
                        throw new IllegalArgumentException("'" + pattern
                                + "' is a regular expression; write parts of the names, separated by commas");
                    }
                })
                .collect(Collectors.joining(", "));
    }

    /**
     * The format of the access log for a pattern of Tomcat.
     *
     * @param without gets the parts of the pattern that have no field here
     */
    static String logFormat(String pattern, List<String> without) {
        switch (pattern.strip()) {
            case "common", COMMON -> {
                return "common";
            }
            case "combined", COMBINED -> {
                return "combined";
            }
            default -> {}
        }
        // Fields can follow the two formats.
        for (Map.Entry<String, String> known : List.of(
                Map.entry(COMBINED, "combined"),
                Map.entry("combined", "combined"),
                Map.entry(COMMON, "common"),
                Map.entry("common", "common"))) {
            if (pattern.strip().startsWith(known.getKey() + " ")) {
                return known.getValue() + " "
                        + String.join(
                                " ",
                                fields(pattern.strip().substring(known.getKey().length()), without));
            }
        }
        return String.join(" ", fields(pattern, without));
    }

    /** The format of the access log for the pattern of JsonAccessLogValve: the members that every line has, and other fields. */
    static String jsonFormat(String pattern, List<String> without) {
        if (pattern.strip().matches("common|combined")) {
            return "json";
        }
        List<String> others = fields(pattern, without).stream()
                .filter(field -> field.contains("(") || field.equals("x-session-id"))
                .filter(field -> !field.matches("(?i)cs\\((referer|user-agent)\\)"))
                .toList();
        return others.isEmpty() ? "json" : "json " + String.join(" ", others);
    }

    private static List<String> fields(String pattern, List<String> without) {
        List<String> fields = new ArrayList<>();
        Matcher tokens = TOKEN.matcher(pattern);
        while (tokens.find()) {
            String field = field(tokens.group(1), tokens.group(2));
            if (field == null) {
                without.add(tokens.group());
            } else if (!field.isEmpty()) {
                fields.addAll(List.of(field.split(" ")));
            }
        }
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("the pattern has no fields; write names of fields, or combined or json");
        }
        return fields.stream().distinct().toList();
    }

    /** The format of the access log for the fields of ExtendedAccessLogValve. */
    static String w3cFormat(String pattern) {
        List<String> fields = new ArrayList<>();
        for (String field : pattern.strip().split("\\s+")) {
            String here =
                    switch (field) {
                        case "bytes" -> "sc-bytes";
                        case "c-dns" -> "c-ip";
                        case "x-H(protocol)" -> "cs-version";
                        case "c-ip",
                                "cs-method",
                                "cs-uri",
                                "cs-uri-query",
                                "cs-uri-stem",
                                "date",
                                "time",
                                "time-taken",
                                "sc-status",
                                "cs-username" -> field;
                        default -> w3cField(field);
                    };
            if (here == null) {
                throw new IllegalArgumentException(field + " has no field here");
            }
            fields.add(here);
        }
        return fields.stream().distinct().collect(Collectors.joining(" "));
    }

    /** A field with a name; null if it has none here. */
    private static @Nullable String w3cField(String field) {
        Matcher named = W3C_FIELD.matcher(field);
        return named.matches()
                ? switch (named.group(1)) {
                            case "cs" -> "cs";
                            case "sc", "x-O" -> "sc";
                            case "x-C" -> "x-cookie";
                            default -> "x-attribute";
                        }
                        + "(" + named.group(2) + ")"
                : null;
    }

    /** The field for a letter; null if there is none here. */
    private static @Nullable String field(@Nullable String name, String letter) {
        if (name != null && "icor".contains(letter) && !name.matches(FIELD_NAME)) {
            return null;
        }
        if (name != null) {
            return switch (letter) {
                case "i" -> "cs(" + name + ")";
                case "o" -> "sc(" + name + ")";
                case "c" -> "x-cookie(" + name + ")";
                case "r" -> "x-attribute(" + name + ")";
                case "a" -> "c-ip";
                case "t" -> "date time";
                case "T" -> name.equals("us") ? "x-total-us" : name.equals("ms") ? "x-total-ms" : "time-taken";
                default -> null;
            };
        }
        return LETTERS.get(letter);
    }

    /** The names of networks for a list of networks, as of RemoteCIDRValve. */
    static List<String> networks(String list) {
        List<String> networks = Arrays.stream(list.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
        networks.forEach(Network::parse);
        return networks;
    }

    /**
     * The names of networks for a regular expression, such as {@code 10\.\d+\.\d+\.\d+|192\.168\..*}. For each octet, the values that match
     * are tried.
     */
    static List<String> networksOfPattern(String pattern) {
        List<String> networks = new ArrayList<>();
        for (String written : alternatives(withoutGroup(pattern.strip()))) {
            String alternative = withoutGroup(written);
            String literal = alternative.replace("\\.", ".");
            if (alternative.matches("\\.[*+]")) {
                networks.addAll(List.of("0.0.0.0/0", "::/0"));
                continue;
            }
            // A dot without a backslash fits any character, but only addresses are compared.
            if (alternative.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")) {
                Network.parse(alternative);
                networks.add(alternative);
                continue;
            }
            String ipv6 = IPV6.get(alternative
                    .replaceFirst("[.]\\+$", ".*")
                    .toLowerCase(Locale.ROOT)
                    .replace("\\p{xdigit}", "\\p{XDigit}"));
            if (ipv6 != null) {
                networks.add(ipv6);
            } else if (literal.matches("[0-9a-fA-F.:]+(/[0-9]+)?")
                    && (literal.contains(":") || literal.contains("/"))) {
                Network.parse(literal);
                networks.add(literal);
            } else {
                networks.addAll(ofOctets(alternative));
            }
        }
        if (networks.size() > MOST_NETWORKS) {
            throw new IllegalArgumentException("the expression stands for too many networks; write them");
        }
        return networks.stream().distinct().toList();
    }

    /** The expression without anchors, and without parentheses around the whole of it. */
    private static String withoutGroup(String pattern) {
        String inner = pattern.replaceAll("^\\^|(?<!\\\\)\\$$", "");
        boolean isGroup = inner.startsWith("(") && inner.endsWith(")");
        int depth = 0;
        for (int i = 0; isGroup && i < inner.length() - 1; i++) {
            char c = inner.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            isGroup = depth > 0;
        }
        return isGroup ? withoutGroup(inner.replaceFirst("^\\((\\?:)?", "").replaceFirst("\\)$", "")) : inner;
    }

    /** Splits at each bar that is in no parentheses, brackets or braces. */
    private static List<String> alternatives(String pattern) {
        List<String> alternatives = new ArrayList<>();
        StringBuilder current = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            depth += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
            if ((c == '|' || c == ',') && depth == 0) {
                alternatives.add(current.toString().strip());
                current.setLength(0);
            } else {
                current.append(c);
            }
        }
        alternatives.add(current.toString().strip());
        return alternatives.stream().filter(text -> !text.isEmpty()).toList();
    }

    private static List<String> ofOctets(String alternative) {
        String[] octets = alternative.replaceAll("^\\^|\\$$", "").split("\\\\\\.");
        List<BitSet> matching = new ArrayList<>();
        for (String octet : octets) {
            matching.add(matching(octet, alternative));
        }
        boolean open = octets.length < OCTETS && octets[octets.length - 1].matches("\\.[*+]");
        if (matching.size() > OCTETS || matching.size() < OCTETS && !open) {
            throw new IllegalArgumentException("'" + alternative + "' is no pattern for addresses; write networks");
        }
        int last = matching.size();
        while (last > 0 && matching.get(last - 1).cardinality() == OCTET_VALUES) {
            last--;
        }
        if (last == 0) {
            return List.of("0.0.0.0/0");
        }
        List<String> prefixes = List.of("");
        for (int i = 0; i < last - 1; i++) {
            BitSet values = matching.get(i);
            prefixes = prefixes.stream()
                    .flatMap(prefix -> values.stream().mapToObj(value -> prefix + value + "."))
                    .limit(MOST_NETWORKS + 1L)
                    .toList();
        }
        int at = last - 1;
        return prefixes.stream()
                .flatMap(prefix -> blocks(matching.get(at)).stream()
                        .map(block -> prefix + block[0] + ".0".repeat(OCTETS - 1 - at) + suffix(at * 8 + block[1])))
                .toList();
    }

    private static String suffix(int bits) {
        return bits == OCTETS * 8 ? "" : "/" + bits;
    }

    private static BitSet matching(String octet, String alternative) {
        BitSet values = new BitSet();
        try {
            Pattern pattern = Pattern.compile(octet);
            for (int value = 0; value < OCTET_VALUES; value++) {
                if (pattern.matcher(Integer.toString(value)).matches()) {
                    values.set(value);
                }
            }
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("'" + alternative + "' is no pattern for addresses; write networks", e);
        }
        if (values.isEmpty()) {
            throw new IllegalArgumentException("'" + alternative + "' is no pattern for addresses; write networks");
        }
        return values;
    }

    /** The fewest blocks of values that have a common prefix, each with its first value and the bits of the prefix. */
    private static List<int[]> blocks(BitSet values) {
        List<int[]> blocks = new ArrayList<>();
        int next = values.nextSetBit(0);
        while (next >= 0) {
            int end = values.nextClearBit(next);
            int size = next == 0 ? OCTET_VALUES : Integer.lowestOneBit(next);
            while (next + size > end) {
                size /= 2;
            }
            blocks.add(new int[] {next, 8 - Integer.numberOfTrailingZeros(size)});
            next = values.nextSetBit(next + size);
        }
        return blocks;
    }
}
