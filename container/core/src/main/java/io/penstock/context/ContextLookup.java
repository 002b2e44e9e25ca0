package io.penstock.context;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/** Finds another context of the same host for {@code ServletContext.getContext}. Thread: any. */
@FunctionalInterface
public interface ContextLookup {

    /** Finds no contexts. */
    ContextLookup NONE = (caller, path) -> null;

    /**
     * The context that serves the path on the caller's host. Null if no context serves the path, or if {@code caller} may not see the
     * context.
     *
     * @param path the path; it starts with {@code /}
     */
    @Nullable
    ServletContext find(WebContext caller, String path);
}
