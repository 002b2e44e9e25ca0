package io.penstock.files;

import io.penstock.context.PrivateFolders;
import io.penstock.context.Resource;
import io.penstock.context.Resources;
import io.penstock.request.Html;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Makes the page that lists the content of a folder: first the folders, then the files, in the order of their names. The page does not show
 * private folders ({@link PrivateFolders}). It also does not show files and folders whose name begins with a dot.
 *
 * <p>Thread: several workers at the same time.
 */
final class Listing {
    /** The maximum number of files and folders on a page. Longer pages would not be useful. */
    static final int MAX = 10_000;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
    private static final Comparator<Resource> ORDER = Comparator.comparing(
                    (Resource member) -> member.kind() != Resource.Kind.DIRECTORY)
            .thenComparing(Resource::path, String.CASE_INSENSITIVE_ORDER)
            .thenComparing(Resource::path);

    private static final String STYLE =
            "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
                    + "table{width:100%;border-collapse:collapse}"
                    + "th,td{text-align:left;padding:.25rem .5rem;border-bottom:1px solid #8884}"
                    + "td:nth-child(n+2),th:nth-child(n+2){text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}"
                    + "td:first-child{overflow-wrap:anywhere}"
                    + "@media(prefers-color-scheme:dark){body{background:#111;color:#eee}a{color:#8bf}}";

    private final Resources resources;

    Listing(Resources resources) {
        this.resources = resources;
    }

    /** Whether a file or folder may be shown. It must not be hidden, and must not be in a hidden folder. */
    static boolean isShown(String path) {
        return !PrivateFolders.contain(path) && !path.contains("/.");
    }

    /**
     * Sends the page of a folder.
     *
     * @param path the path of an existing folder within the context. It ends with a slash
     * @param shown the context path, followed by {@code path}
     */
    void send(HttpServletResponse response, String path, String shown) throws IOException {
        List<Resource> members = members(path);
        response.setContentType("text/html;charset=UTF-8");
        response.setHeader("Cache-Control", "no-cache");
        response.setHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
        Writer page = response.getWriter();
        String title = Html.escape(shown);
        page.write("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + title + "</title>\n<style>"
                + STYLE
                + "</style>\n<h1>" + title + "</h1>\n<table>\n"
                + "<thead><tr><th>Name</th><th>Size</th><th>Changed (UTC)</th></tr></thead>\n<tbody>\n");
        if (!path.equals("/")) {
            page.write("<tr><td><a href=\"../\">..</a></td><td></td><td></td></tr>\n");
        }
        for (Resource member : members.subList(0, Math.min(MAX, members.size()))) {
            page.write(row(member, path));
        }
        page.write("</tbody>\n</table>\n");
        if (members.size() > MAX) {
            page.write("<p>" + (members.size() - MAX) + " more are not shown.</p>\n");
        }
        page.write("</html>\n");
    }

    private List<Resource> members(String path) {
        List<Resource> members = new ArrayList<>();
        Set<String> paths = resources.list(path);
        if (paths != null) {
            for (String member : paths) {
                Resource found = isShown(member) ? resources.find(member) : null;
                if (found != null) {
                    members.add(found);
                }
            }
        }
        members.sort(ORDER);
        return members;
    }

    private static String row(Resource member, String folder) {
        String name = member.path().substring(folder.length());
        boolean isFolder = member.kind() == Resource.Kind.DIRECTORY;
        String size = isFolder ? "" : "<span title=\"" + member.size() + " bytes\">" + size(member.size()) + "</span>";
        String time = TIME.format(member.modified().atOffset(ZoneOffset.UTC));
        return "<tr><td><a href=\"" + Html.escape(ServedPath.encode(name)) + "\">" + Html.escape(name) + "</a></td><td>"
                + size + "</td><td><time datetime=\"" + member.modified().truncatedTo(ChronoUnit.SECONDS) + "\">" + time
                + "</time></td></tr>\n";
    }

    /** Returns a size in bytes, or in a larger unit with one digit after the decimal point. */
    static String size(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        double scaled = bytes;
        int unit = 0;
        while (scaled >= 1024 && unit < 5) {
            scaled /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %cB", scaled, "KMGTP".charAt(unit - 1));
    }
}
