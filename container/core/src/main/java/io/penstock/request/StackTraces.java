package io.penstock.request;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Stack traces as developers see them in a response. */
public final class StackTraces {
    /** The CSS rules for an error page and for the result of {@link #html}. The colours are legible on a light and on a dark background. */
    public static final String STYLE = """
            body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1a1a1a; background: #fff }
            h1 { font-size: 1.5rem; color: #a40000 }
            #reason { font-size: 1.1rem; overflow-wrap: anywhere }
            pre { background: #f3f3f3; padding: 1rem; overflow-x: auto; font-size: .85rem }
            .platform { color: #6b6b6b }
            @media (prefers-color-scheme: dark) {
              body { color: #e6e6e6; background: #1b1b1b; color-scheme: dark }
              h1 { color: #ff8a80 }
              pre { background: #282828 }
              .platform { color: #9a9a9a }
            }
            """;

    /** A frame of the server, of the Servlet API or of the JDK. */
    private static final Pattern PLATFORM = Pattern.compile(
            "\\s+at (?:app//)?(?:io\\.penstock\\.|jakarta\\.servlet\\.|java\\.[a-z]+/|jdk\\.[a-z]+/).*");

    private StackTraces() {}

    /**
     * The stack trace of an exception and its causes.
     *
     * @param loader the name of the application's class loader, which is removed from the trace; null if the class loader has no name
     */
    public static String of(Throwable thrown, @Nullable String loader) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return loader == null ? text.toString() : text.toString().replace("\tat " + loader + "//", "\tat ");
    }

    /** The trace as HTML. The frames of the server, of the Servlet API and of the JDK are grey. */
    public static String html(String trace) {
        return trace.lines()
                .map(line -> PLATFORM.matcher(line).matches()
                        ? "<span class=\"platform\">" + Html.escape(line) + "</span>"
                        : Html.escape(line))
                .collect(Collectors.joining("\n", "<pre>", "</pre>\n"));
    }
}
