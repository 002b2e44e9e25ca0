package io.penstock.limits;

import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the name that a user probably meant, for messages about an unknown name. Thread: any. */
public final class ClosestName {

    /** A shorter beginning of a name, such as {@code log}, fits too many names. */
    private static final int SHORTEST_BEGINNING = 4;

    private ClosestName() {}

    /**
     * The name that differs from {@code given} least; null if no name is close. A letter that is missing, added or wrong counts as one
     * difference, and so do two letters in the wrong order. Case and separators do not count: {@code bodyLimit} and {@code body-limit} are
     * equal. The longer the text, the more differences are allowed. A name is also close if one of the two texts begins with the other.
     */
    public static @Nullable String to(String given, Stream<String> names) {
        String plain = plain(given);
        int[] least = {2 + Math.min(plain.length() / 5, 2)}; // one more than is allowed
        String[] closest = {null};
        names.forEach(name -> {
            int differences = differences(plain, plain(name));
            if (differences < least[0]) {
                least[0] = differences;
                closest[0] = name;
            }
        });
        return closest[0];
    }

    /** The end of a message about the unknown name {@code given}: {@code "; did you mean 'workers'?"}, or nothing. */
    static String question(String given, Stream<String> names) {
        String closest = to(given, names);
        return closest == null ? "" : "; did you mean '" + closest + "'?";
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static int differences(String a, String b) {
        boolean beginning =
                Math.min(a.length(), b.length()) >= SHORTEST_BEGINNING && (a.startsWith(b) || b.startsWith(a));
        int distance = distance(a, b);
        return beginning ? Math.min(distance, 1) : distance;
    }

    /** The distance of optimal string alignment. */
    private static int distance(String a, String b) {
        int[][] of = new int[a.length() + 1][b.length() + 1]; // of the first letters of both
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                of[i][j] = i == 0 || j == 0 ? i + j : step(of, a, b, i, j);
            }
        }
        return of[a.length()][b.length()];
    }

    private static int step(int[][] of, String a, String b, int i, int j) {
        int replaced = of[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, 1 + Math.min(of[i - 1][j], of[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, 1 + of[i - 2][j - 2]) : least;
    }
}
