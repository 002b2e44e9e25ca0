package io.penstock.context;

import jakarta.servlet.ServletException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The error pages of a context (Servlet 6.1, section 10.9.2); immutable. Locations start with {@code /}. Thread: any. */
public final class ErrorPages {
    public static final ErrorPages NONE = builder().build();

    private final Map<Integer, String> byStatus;
    private final Map<String, String> byThrowable;
    private final @Nullable String fallback;

    private ErrorPages(Builder builder) {
        byStatus = Map.copyOf(builder.byStatus);
        byThrowable = Map.copyOf(builder.byThrowable);
        fallback = builder.fallback;
    }

    /**
     * The page for a status of {@code sendError}. This is the page that is declared for the status. If no page is declared, the default
     * page is used. Null if there is no default page.
     */
    public @Nullable String forStatus(int status) {
        String location = byStatus.get(status);
        return location != null ? location : fallback;
    }

    /**
     * The page that is declared for the throwable's class or its nearest superclass. If no page is declared, and the throwable is a {@link
     * ServletException}, the classes of the root cause are searched, too. If the result is null, the page for status 500 applies.
     */
    public @Nullable String forThrowable(Throwable thrown) {
        String location = forType(thrown.getClass());
        if (location == null && thrown instanceof ServletException wrapper && wrapper.getRootCause() != null) {
            location = forType(wrapper.getRootCause().getClass());
        }
        return location;
    }

    private @Nullable String forType(Class<?> thrown) {
        for (Class<?> type = thrown; type != null; type = type.getSuperclass()) {
            String location = byThrowable.get(type.getName());
            if (location != null) {
                return location;
            }
        }
        return null;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects error pages. Thread: one. A later page for the same error replaces an earlier page. */
    public static final class Builder {
        private final Map<Integer, String> byStatus = new HashMap<>();
        private final Map<String, String> byThrowable = new HashMap<>();
        private @Nullable String fallback;

        private Builder() {}

        public Builder status(int status, String location) {
            byStatus.put(status, checked(location));
            return this;
        }

        public Builder throwable(String className, String location) {
            byThrowable.put(className, checked(location));
            return this;
        }

        /** The default page, for errors that have no page of their own. */
        public Builder fallback(String location) {
            fallback = checked(location);
            return this;
        }

        private static String checked(String location) {
            if (!location.startsWith("/")) {
                throw new IllegalArgumentException("the location of an error page starts with /, not: " + location);
            }
            return location;
        }

        public ErrorPages build() {
            return new ErrorPages(this);
        }
    }
}
