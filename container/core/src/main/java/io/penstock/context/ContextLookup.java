package io.penstock.context;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/** Finds another context of the same host for {@code ServletContext.getContext}. Thread: any. */
@FunctionalInterface
public interface ContextLookup {

    /** Finds no contexts. */
    ContextLookup NONE = (caller, path) -> null;

    /**
     * The context that serves the path on the caller's host; null if there is none, or if {@code caller} may not see it.
     *
     * @param path starts with {@code /}
     */
    @Nullable
    ServletContext find(WebContext caller, String path);
}
