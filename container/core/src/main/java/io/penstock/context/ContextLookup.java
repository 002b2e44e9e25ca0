package io.penstock.context;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/** Finds another context of the server for {@code ServletContext.getContext}. Thread: any. */
@FunctionalInterface
public interface ContextLookup {

    /** Contexts do not see each other. */
    ContextLookup NONE = path -> null;

    /** The context that serves the path, which starts with {@code /}; or null. */
    @Nullable
    ServletContext find(String path);
}
