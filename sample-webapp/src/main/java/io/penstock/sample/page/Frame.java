package io.penstock.sample.page;

import jakarta.servlet.ServletContext;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The common frame of all pages: head, navigation, footer. It is the file {@code /WEB-INF/frame.html}, read once when
 * the application starts and kept in the servlet context. The static pages carry a copy of it.
 */
public record Frame(String markup) {
    private static final String FILE = "/WEB-INF/frame.html";
    private static final String ATTRIBUTE = Frame.class.getName();

    /** Reads the frame and keeps it in {@code context}. */
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
     * The whole page.
     *
     * @param section the navigation's entry that the page belongs to, relative to the application, for instance {@code
     *     hello}
     */
    String around(String contextPath, String section, String title, Html main) {
        String link = "href=\"{{context}}/" + section + "\"";
        return markup.replace(link, link + " aria-current=\"page\"")
                .replace("{{context}}", Html.escape(contextPath))
                .replace("{{title}}", Html.escape(title))
                .replace("{{main}}", main.markup());
    }
}
