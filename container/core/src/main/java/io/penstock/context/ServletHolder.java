package io.penstock.context;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletSecurityElement;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One declared servlet: its registration, and its instance through its life. Thread: any. */
public final class ServletHolder {

    /** Where the servlet is in its life (Servlet 6.1, 2.3). */
    public enum Life {
        NEW,
        INITIALISING,
        AVAILABLE,
        UNAVAILABLE_UNTIL,
        FAILED,
        DESTROYED
    }

    ServletHolder() {}

    public String name() {
        return io.penstock.session.Pending.pending();
    }

    public @Nullable String className() {
        return io.penstock.session.Pending.pending();
    }

    public Life life() {
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

    /** URL patterns as declared so far, in order; a copy. */
    public List<String> mappings() {
        return io.penstock.session.Pending.pending();
    }

    public int loadOnStartup() {
        return io.penstock.session.Pending.pending();
    }

    /** Negative: lazily. */
    public ServletHolder loadOnStartup(int order) {
        return io.penstock.session.Pending.pending();
    }

    public boolean asyncSupported() {
        return io.penstock.session.Pending.pending();
    }

    public ServletHolder asyncSupported(boolean supported) {
        return io.penstock.session.Pending.pending();
    }

    public @Nullable MultipartConfigElement multipart() {
        return io.penstock.session.Pending.pending();
    }

    public ServletHolder multipart(@Nullable MultipartConfigElement config) {
        return io.penstock.session.Pending.pending();
    }

    public @Nullable String runAs() {
        return io.penstock.session.Pending.pending();
    }

    public ServletHolder runAs(@Nullable String role) {
        return io.penstock.session.Pending.pending();
    }

    public @Nullable ServletSecurityElement security() {
        return io.penstock.session.Pending.pending();
    }

    public ServletHolder security(@Nullable ServletSecurityElement element) {
        return io.penstock.session.Pending.pending();
    }

    /** {@code security-role-ref}s: role names as the servlet's code uses them, to roles of the context. */
    public Map<String, String> roleRefs() {
        return io.penstock.session.Pending.pending();
    }

    public ServletHolder roleRef(String name, String role) {
        return io.penstock.session.Pending.pending();
    }

    /** Whether the servlet was declared {@code <enabled>false</enabled>}: then it is mapped to nothing and never runs. */
    public boolean enabled() {
        return io.penstock.session.Pending.pending();
    }

    public ServletHolder enabled(boolean enabled) {
        return io.penstock.session.Pending.pending();
    }

    /**
     * Runs the servlet's {@code service}, after its {@code init} if it is the first call. While calls run the servlet is not
     * destroyed.
     *
     * @throws jakarta.servlet.UnavailableException if the servlet is unavailable, or says so now: permanently (404) or for a
     *     while (503); the holder has noted it
     * @throws ServletException what {@code init} or {@code service} threw, or that the class cannot be loaded
     */
    public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        io.penstock.session.Pending.pending();
    }
}
