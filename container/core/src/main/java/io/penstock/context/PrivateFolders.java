package io.penstock.context;

/** The folders that an application can read but clients cannot (Servlet 6.1, section 10.5). */
public final class PrivateFolders {
    private static final String WEB_INF = "/WEB-INF";
    private static final String META_INF = "/META-INF";

    private PrivateFolders() {}

    /**
     * Whether the path is a private folder, or is in a private folder. Upper and lower case do not matter, because some file systems ignore
     * the difference.
     *
     * @param path the path within the context, decoded and normalised
     */
    public static boolean contain(String path) {
        return isWithin(path, WEB_INF) || isWithin(path, META_INF);
    }

    private static boolean isWithin(String path, String folder) {
        int end = folder.length();
        return path.regionMatches(true, 0, folder, 0, end) && (path.length() == end || path.charAt(end) == '/');
    }
}
