package io.penstock.jsp;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import org.apache.jasper.JasperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thrown for a page that cannot be compiled. The errors of the page have been logged, with the lines of its source. This exception has no
 * cause and no stack trace, because they would show only code of the engine.
 */
final class PageFailure extends ServletException {
    private static final Logger LOG = LoggerFactory.getLogger(PageFailure.class);
    private static final String TRACE = "Stacktrace:";

    private PageFailure(String message) {
        super(message);
    }

    /** Creates the exception that replaces an exception of the engine. The message of the engine's exception has many lines. */
    static ServletException of(JasperException e, String page, ServletContext context) {
        String message = lines(e);
        if (e.getRootCause() != null) {
            return new ServletException(firstLine(message), e.getRootCause());
        }
        LOG.error("Page {} of {} cannot be compiled: {}", page, name(context), message);
        return new PageFailure("page " + page + " cannot be compiled; see the log");
    }

    /** The message of the engine, without the heading of the stack trace. */
    private static String lines(JasperException e) {
        String message = String.valueOf(e.getMessage()).strip();
        return message.endsWith(TRACE)
                ? message.substring(0, message.length() - TRACE.length()).strip()
                : message;
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("a page has failed");
    }

    private static String name(ServletContext context) {
        return context.getContextPath().isEmpty() ? "/" : context.getContextPath();
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
