package io.penstock.sample.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One page that a servlet writes: a title, some content, and links to its sources. */
public final class Page {
    private final HttpServletRequest request;
    private final String section;
    private final String title;
    private final List<Html> content = new ArrayList<>();

    private Page(HttpServletRequest request, String section, String title) {
        this.request = request;
        this.section = section;
        this.title = title;
    }

    /** Creates a page. The navigation marks the entry {@code section}, for example {@code hello}. */
    public static Page of(HttpServletRequest request, String section, String title) {
        return new Page(request, section, title);
    }

    /** Adds markup from a template. {@link Html#of} escapes the values. */
    public Page add(String template, Object... values) {
        content.add(Html.of(template, values));
        return this;
    }

    /**
     * Adds the note about the part of the Servlet API that this page shows.
     *
     * @param file the source file of this page, for example {@code hello/HelloServlet.java}
     */
    public Page shows(Html explanation, String file) {
        return add("""
                <aside class="shows" aria-label="What this page shows">
                <h2>What this page shows</h2>
                %s
                <details class="source" data-source="%s/source/%s">
                <summary>%s</summary>
                <p><a href="%s/source/%s">Open the source as a page</a></p>
                </details>
                </aside>
                """, explanation, request.getContextPath(), file, fileName(file), request.getContextPath(), file);
    }

    /** Writes the page, with the status that the servlet has set. */
    public void send(HttpServletResponse response) throws IOException {
        Html main = content.stream().collect(Html.joining());
        Frame frame = Frame.of(request.getServletContext());
        response.setContentType("text/html;charset=UTF-8");
        response.getWriter().write(frame.around(request.getContextPath(), section, title, main));
    }

    private static String fileName(String file) {
        return file.substring(file.lastIndexOf('/') + 1);
    }
}
