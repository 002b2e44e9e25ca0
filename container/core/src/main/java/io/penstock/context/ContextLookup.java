package io.penstock.context;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/** Finds another context of the server for {@code ServletContext.getContext}. Thread: any. */
@FunctionalInterface
public interface ContextLookup {

    /** Finds no contexts. */
    ContextLookup NONE = (caller, path) -> null;

    /**
     * The context that serves the path, if {@code caller} is allowed to see it; else null.
     *
     * @param path starts with {@code /}
     */
    @Nullable
    ServletContext find(ServletContext caller, String path);
}
