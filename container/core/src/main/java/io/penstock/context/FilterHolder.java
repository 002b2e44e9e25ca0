package io.penstock.context;

import jakarta.servlet.Filter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One declared filter: its registration, and its instance while the context runs. Thread: any. */
public final class FilterHolder {

    FilterHolder() {}

    public String name() {
        return io.penstock.session.Pending.pending();
    }

    public @Nullable String className() {
        return io.penstock.session.Pending.pending();
    }

    /** Init parameters as declared so far; a copy. */
    public Map<String, String> initParameters() {
        return io.penstock.session.Pending.pending();
    }

    /** Sets an init parameter unless it is set; whether it was set by this call. */
    public boolean initParameter(String name, String value) {
        return io.penstock.session.Pending.pending();
    }

    public boolean asyncSupported() {
        return io.penstock.session.Pending.pending();
    }

    public FilterHolder asyncSupported(boolean supported) {
        return io.penstock.session.Pending.pending();
    }

    /** The initialised filter. @throws IllegalStateException while the context does not run */
    public Filter filter() {
        return io.penstock.session.Pending.pending();
    }
}
