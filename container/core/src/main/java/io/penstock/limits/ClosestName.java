package io.penstock.limits;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the name that a user probably meant, for messages about an unknown name. Thread: any. */
public final class ClosestName {

    /** A shorter beginning, such as {@code log}, fits too many names. */
    private static final int SHORTEST_BEGINNING = 4;

    private ClosestName() {}

    /**
     * The name that differs least from {@code given}; the first of several such names; null if no name is close. Each letter that is
     * missing, added or wrong is one difference, and so are two adjacent letters in the wrong order. Case and separators do not count:
     * {@code bodyLimit} and {@code body-limit} are equal.
     *
     * <p>A name is close if it has at most 1 difference; with 5 letters or digits at most 2, and with 10 at most 3. A name is also close if
     * one of the two texts begins with the other, and the shorter text has at least 4 letters or digits.
     */
    public static @Nullable String to(String given, Stream<String> names) {
        String plain = plain(given);
        int most = 1 + Math.min(plain.length() / 5, 2);
        int least = Integer.MAX_VALUE;
        String closest = null;
        for (String name : names.toList()) {
            String other = plain(name);
            int differences = differences(plain, other);
            if (differences < least && (differences <= most || oneBeginsWithTheOther(plain, other))) {
                least = differences;
                closest = name;
            }
        }
        return closest;
    }

    /**
     * The end of a message about the unknown name {@code given}: {@code "; did you mean 'workers'?"}. The text is empty if no name is
     * close.
     *
     * @param shown the form in which the message has the name
     */
    public static String question(String given, Stream<String> names, UnaryOperator<String> shown) {
        String closest = to(given, names);
        return closest == null ? "" : "; did you mean " + shown.apply(closest) + "?";
    }

    static String question(String given, Stream<String> names) {
        return question(given, names, name -> "'" + name + "'");
    }

    /**
     * Like {@link #question(String, Stream, UnaryOperator)}, also for keys that only an application can have: {@code "; did you mean
     * '/shop:directory-listing'?"}. A key of the server is preferred to an equally close key of an application.
     *
     * @param names the names that the server has in this place
     */
    public static String questionOfKeys(String given, Stream<String> names, UnaryOperator<String> shown) {
        Set<String> ofServer = names.collect(Collectors.toCollection(LinkedHashSet::new));
        return question(
                given,
                Stream.concat(ofServer.stream(), ApplicationKey.names()),
                closest -> shown.apply(ofServer.contains(closest) ? closest : ApplicationKey.written(closest)));
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static boolean oneBeginsWithTheOther(String a, String b) {
        return Math.min(a.length(), b.length()) >= SHORTEST_BEGINNING && (a.startsWith(b) || b.startsWith(a));
    }

    /** The optimal string alignment distance. */
    private static int differences(String a, String b) {
        int[][] distances = new int[a.length() + 1][b.length() + 1]; // those of the beginnings of both
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                distances[i][j] = i == 0 || j == 0 ? i + j : step(distances, a, b, i, j);
            }
        }
        return distances[a.length()][b.length()];
    }

    private static int step(int[][] distances, String a, String b, int i, int j) {
        int replaced = distances[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, 1 + Math.min(distances[i - 1][j], distances[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, 1 + distances[i - 2][j - 2]) : least;
    }
}
