package io.penstock.context;

import io.penstock.mapping.ServletMappings;
import io.penstock.session.SessionManager;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.descriptor.JspConfigDescriptor;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.Enumeration;
import java.util.EventListener;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One web application as its servlets see it, and the owner of its parts.
 *
 * <p>Thread: {@link #start} and {@link #stop} one that deploys; the rest any. Owns: servlets, filters, listeners, sessions,
 * resources.
 */
public final class WebContext implements ServletContext {

    /** Where the context is in its life; registration is open up to LISTENERS. */
    public enum Life {
        NEW,
        INITIALIZERS,
        LISTENERS,
        INSTANCES,
        AVAILABLE,
        STOPPING,
        STOPPED,
        FAILED
    }

    public WebContext(ContextSettings settings, ContextServices services) {
        io.penstock.session.Pending.pending();
    }

    public ContextSettings settings() {
        return io.penstock.session.Pending.pending();
    }

    public Life life() {
        return io.penstock.session.Pending.pending();
    }

    /** For log lines: the context path, {@code /} for the root. */
    public String name() {
        return io.penstock.session.Pending.pending();
    }

    public Servlets servlets() {
        return io.penstock.session.Pending.pending();
    }

    public Filters filters() {
        return io.penstock.session.Pending.pending();
    }

    public Listeners listeners() {
        return io.penstock.session.Pending.pending();
    }

    public SessionManager sessions() {
        return io.penstock.session.Pending.pending();
    }

    /** The URL patterns of the servlets. @throws IllegalStateException before the context has started */
    public ServletMappings<ServletHolder> mappings() {
        return io.penstock.session.Pending.pending();
    }

    /** @throws IllegalStateException before the context has started */
    public FilterMappings filterMappings() {
        return io.penstock.session.Pending.pending();
    }

    /** Roles declared by descriptor and code. */
    public Set<String> roles() {
        return io.penstock.session.Pending.pending();
    }

    public void start() throws ServletException {
        start(List.of());
    }

    /**
     * Runs the initialisers, tells the context listeners, closes registration, and initialises filters and the servlets that load
     * on startup. On a throw what had begun is ended again, and the context is FAILED.
     */
    public void start(List<ContextInitializer> initializers) throws ServletException {
        io.penstock.session.Pending.pending();
    }

    /** Destroys servlets and filters, invalidates sessions, tells the context listeners, closes resources. Idempotent. */
    public void stop() {
        io.penstock.session.Pending.pending();
    }

    @Override
    public SessionCookie getSessionCookieConfig() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public String getContextPath() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable ServletContext getContext(String a0) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public int getMajorVersion() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public int getMinorVersion() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public int getEffectiveMajorVersion() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public int getEffectiveMinorVersion() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable String getMimeType(String a0) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable Set<String> getResourcePaths(String a0) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable URL getResource(String a0) throws MalformedURLException {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String a0) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(String a0) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable RequestDispatcher getNamedDispatcher(String a0) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void log(String a0) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public void log(String a0, Throwable a1) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable String getRealPath(String a0) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public String getServerInfo() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable String getInitParameter(String a0) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public boolean setInitParameter(String a0, String a1) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable Object getAttribute(String a0) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setAttribute(String a0, Object a1) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public void removeAttribute(String a0) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable String getServletContextName() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(String a0, String a1) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(String a0, Servlet a1) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(String a0, Class<? extends Servlet> a1) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addJspFile(String a0, String a1) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public <T extends Servlet> T createServlet(Class<T> a0) throws ServletException {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable ServletRegistration getServletRegistration(String a0) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public Map<String, ? extends ServletRegistration> getServletRegistrations() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(String a0, String a1) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(String a0, Filter a1) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(String a0, Class<? extends Filter> a1) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public <T extends Filter> T createFilter(Class<T> a0) throws ServletException {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable FilterRegistration getFilterRegistration(String a0) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public Map<String, ? extends FilterRegistration> getFilterRegistrations() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setSessionTrackingModes(Set<SessionTrackingMode> a0) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public Set<SessionTrackingMode> getDefaultSessionTrackingModes() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public Set<SessionTrackingMode> getEffectiveSessionTrackingModes() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void addListener(String a0) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public <T extends EventListener> void addListener(T a0) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public void addListener(Class<? extends EventListener> a0) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public <T extends EventListener> T createListener(Class<T> a0) throws ServletException {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable JspConfigDescriptor getJspConfigDescriptor() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public ClassLoader getClassLoader() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void declareRoles(String... a0) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public String getVirtualServerName() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public int getSessionTimeout() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setSessionTimeout(int a0) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable String getRequestCharacterEncoding() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setRequestCharacterEncoding(String a0) {
        io.penstock.session.Pending.pending();
    }

    @Override
    public @Nullable String getResponseCharacterEncoding() {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void setResponseCharacterEncoding(String a0) {
        io.penstock.session.Pending.pending();
    }
}
