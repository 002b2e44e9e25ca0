package io.penstock.dispatch;

import io.penstock.context.WebContext;
import io.penstock.http.Accept;
import io.penstock.http.Status;
import io.penstock.http.Vary;
import io.penstock.request.Html;
import io.penstock.request.HttpRequest;
import io.penstock.request.HttpResponse;
import io.penstock.request.StackTraces;
import io.penstock.rules.ErrorDocuments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * The container's error page, which is sent if the application has no page for an error: the operator's page for the status, or else a page
 * that does not name the server.
 *
 * <p>Thread: the worker that runs the exchange.
 */
final class DefaultPage {
    /** The init parameter for a context in development. If the value is {@code true}, clients get exceptions with their stack traces. */
    private static final String SHOW_EXCEPTIONS = "penstock.show-exceptions";

    private static final int DEEPEST_CAUSE = 16;

    private static final String HTML = "text/html";

    private final HttpRequest request;
    private final String title;
    private final int status;

    DefaultPage(HttpRequest request, int status) {
        this.request = request;
        this.status = status;
        this.title = Html.escape(status + " " + Status.reason(status));
    }

    /** Writes the status and the message. */
    void show(@Nullable String message) throws IOException {
        if (showsOperators()) {
            return;
        }
        String text = message == null || message.isEmpty() ? "" : "<p>" + Html.escape(message) + "</p>\n";
        write(HTML, page("", text));
    }

    /**
     * Writes the status. If {@link #SHOW_EXCEPTIONS} is true, also writes the exception: as a page for browsers, as text for other clients.
     */
    void show(Throwable thrown) throws IOException {
        WebContext context = request.view().context();
        if (!showsExceptions(context)) {
            show((String) null);
            return;
        }
        StackTraces trace =
                StackTraces.of(thrown, context.settings().classLoader().getName());
        request.response().setHeader("Cache-Control", "no-store");
        request.response().setHeader("X-Content-Type-Options", "nosniff");
        if (acceptsHtml()) {
            String reason = "<p id=\"reason\">" + Html.escape(reason(thrown)) + "</p>\n";
            String viewport = "<meta name=\"viewport\" content=\"width=device-width\">";
            write(HTML, page(viewport + "<style>\n" + StackTraces.STYLE + "</style>", reason + trace.html()));
        } else {
            write("text/plain", trace.text());
        }
    }

    /** Writes the operator's page, if there is one that the client wants. */
    private boolean showsOperators() throws IOException {
        ErrorDocuments.Document page = request.state().exchange().errorPage(status);
        if (page == null) {
            return false;
        }
        if (!Vary.covers(request.response().getHeaders("Vary"), "Accept")) {
            request.response().addHeader("Vary", "Accept");
        }
        request.response().setContentType(ErrorDocuments.TYPE);
        request.response().getOutputStream().write(page.bytes());
        return true;
    }

    /** Whether the context is in development, so that developers see its exceptions. */
    static boolean showsExceptions(WebContext context) {
        return Boolean.parseBoolean(context.getInitParameter(SHOW_EXCEPTIONS));
    }

    /** The exception and its innermost cause. */
    private static String reason(Throwable thrown) {
        Throwable innermost = thrown;
        for (int depth = 0; innermost.getCause() != null && depth < DEEPEST_CAUSE; depth++) {
            innermost = innermost.getCause();
        }
        return innermost == thrown ? thrown.toString() : thrown + "\nCaused by: " + innermost;
    }

    private boolean acceptsHtml() {
        return Accept.types(Collections.list(request.getHeaders("Accept"))).contains(HTML);
    }

    private String page(String head, String body) {
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>" + title + "</title>" + head
                + "</head>\n<body>\n<h1>" + title + "</h1>\n" + body + "</body>\n</html>\n";
    }

    private void write(String type, String text) throws IOException {
        HttpResponse answer = request.response();
        answer.setContentType(type + ";charset=UTF-8");
        answer.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }
}
