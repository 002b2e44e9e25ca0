package io.penstock.jsp;

import io.penstock.part.ExplainedFailure;
import io.penstock.part.LogLines;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import org.apache.jasper.JasperException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thrown for a page that cannot be compiled, or that fails. The explanation has lines of the page's source. This exception has no stack
 * trace, because it would show only code of the engine.
 */
final class PageFailure extends ServletException implements ExplainedFailure {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(PageFailure.class);
    private static final String TRACE = "Stacktrace:";

    private final String explanation;

    private PageFailure(String message, String explanation, @Nullable Throwable cause) {
        super(message, cause);
        this.explanation = explanation;
    }

    /** Creates the exception that replaces an exception of the engine. The message of the engine's exception has many lines. */
    static PageFailure of(JasperException e, String page) {
        if (e.getRootCause() instanceof PageFailure ofIncluded) {
            return ofIncluded;
        }
        String lines = lines(e);
        if (e.getRootCause() == null) {
            return new PageFailure("page " + page + " cannot be compiled", lines, null);
        }
        String first = firstLine(lines);
        return new PageFailure(first, lines.substring(first.length()).strip(), e.getRootCause());
    }

    /** The message. The name of this class would tell a developer nothing. */
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
        return String.valueOf(getMessage());
    }

    @Override
    public String explanation() {
        return explanation;
    }

    /** Logs this failure, if the container does not. */
    void log(String page, ServletContext context) {
        LOG.error("Page {} of {} fails{}", page, name(context), new LogLines(explanation), getCause());
    }

    /** The message of the engine, without the heading of the stack trace. */
    private static String lines(JasperException e) {
        String message = String.valueOf(e.getMessage()).strip();
        return message.endsWith(TRACE)
                ? message.substring(0, message.length() - TRACE.length()).strip()
                : message;
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }

    private static String name(ServletContext context) {
        return context.getContextPath().isEmpty() ? "/" : context.getContextPath();
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
