package io.penstock.sample.page;

import jakarta.servlet.ServletContext;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The common frame of all pages: head, navigation, footer. The application reads the frame from the file {@code
 * /WEB-INF/frame.html} at its start, and stores it in the servlet context. The static pages contain a copy of the
 * frame.
 */
public record Frame(String markup) {
    private static final String FILE = "/WEB-INF/frame.html";
    private static final String ATTRIBUTE = Frame.class.getName();

    /** Reads the frame and stores it in {@code context}. */
    public static void install(ServletContext context) throws IOException {
        try (InputStream file = context.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new FileNotFoundException(FILE);
            }
            String markup = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            context.setAttribute(ATTRIBUTE, new Frame(markup));
        }
    }

    static Frame of(ServletContext context) {
        return (Frame) context.getAttribute(ATTRIBUTE);
    }

    /**
     * Returns the whole page.
     *
     * @param section the entry of the navigation for this page, as a path relative to the application, for example
     *     {@code hello}
     */
    String around(String contextPath, String section, String title, Html main) {
        String link = "href=\"{{context}}/" + section + "\"";
        return markup.replace(link, link + " aria-current=\"page\"")
                .replace("{{context}}", Html.escape(contextPath))
                .replace("{{title}}", Html.escape(title))
                .replace("{{main}}", main.markup());
    }
}
