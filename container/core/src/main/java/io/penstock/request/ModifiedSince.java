package io.penstock.request;

import io.penstock.http.Fields;
import io.penstock.http.Preconditions;
import io.penstock.time.Saturated;
import jakarta.servlet.http.HttpServlet;
import java.time.Instant;

/**
 * The field {@code If-Modified-Since} as {@link HttpServlet} gets it, for servlets with {@code getLastModified}. The class of the API compares
 * the date with a time in milliseconds, and fails if the field is no date. So it gets another value than the application gets from
 * {@code getDateHeader}.
 */
final class ModifiedSince {
    static final String FIELD = "If-Modified-Since";

    static final long IGNORED = -1;
    private static final long REST_OF_SECOND = 999;
    private static final StackWalker CALLERS = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private ModifiedSince() {}

    /** Whether {@link HttpServlet} itself calls {@code getDateHeader}, perhaps by wrappers of the request. */
    static boolean isReadByHttpServlet() {
        return CALLERS.walk(frames -> frames.skip(1) // this method
                .dropWhile(frame -> frame.getMethodName().equals("getDateHeader"))
                .findFirst()
                .filter(frame -> frame.getDeclaringClass() == HttpServlet.class)
                .isPresent());
    }

    /**
     * Returns the last millisecond of the second in the field, so that a servlet whose last change is in this second answers 304. Returns the
     * value for a missing field if the field must be ignored (RFC 9110 section 13.1.3).
     */
    static long of(Fields fields) {
        Instant date = fields.contains("If-None-Match") ? null : Preconditions.date(fields, FIELD);
        return date == null ? IGNORED : Saturated.millis(date) + REST_OF_SECOND;
    }
}
