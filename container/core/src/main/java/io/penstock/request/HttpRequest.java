package io.penstock.request;

import io.penstock.address.PathText;
import io.penstock.http.AcceptLanguage;
import io.penstock.http.Fields;
import io.penstock.http.HttpDate;
import io.penstock.http.RequestHead;
import io.penstock.http.Violation;
import io.penstock.session.WebSession;
import io.penstock.time.Saturated;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletConnection;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.security.Principal;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The request as the filters and the servlet of one dispatch see it. Each dispatch has its own request object, called a façade. All façades
 * of a request share one {@link RequestState}; only the {@link PathView} differs between dispatches. A façade never changes its view. If
 * the application keeps a façade, the façade continues to show the dispatch for which it was made (Servlet 9.3, 9.4).
 *
 * <p>Thread: one application thread at a time.
 */
public final class HttpRequest implements HttpServletRequest {
    private final RequestState state;
    private final PathView view;
    private final @Nullable HttpRequest parent;
    private final HttpResponse response;
    private @Nullable Parameters parameters;
    private @Nullable Violation badQuery;

    /** The request as the client sent it. */
    public HttpRequest(RequestState state, PathView view) {
        this.state = state;
        this.view = view;
        this.parent = null;
        this.response = new HttpResponse(state, view, HttpResponse.Role.ANSWERING);
    }

    /** Makes the request of a new dispatch. {@code parent} is the request that is dispatched. */
    public HttpRequest(HttpRequest parent, PathView view) {
        this.state = parent.state;
        this.view = view;
        this.parent = parent;
        boolean container = view.type() == DispatcherType.ERROR || view.type() == DispatcherType.ASYNC;
        boolean included = view.isInclude() || (!container && parent.response.isIncluded());
        HttpResponse.Role role = included ? HttpResponse.Role.INCLUDED : HttpResponse.Role.ANSWERING;
        this.response = new HttpResponse(state, view, role);
    }

    /** The response façade of the same dispatch. */
    public HttpResponse response() {
        return response;
    }

    public RequestState state() {
        return state;
    }

    public PathView view() {
        return view;
    }

    /** The request as the client sent it. */
    public HttpRequest original() {
        return parent == null ? this : parent.original();
    }

    /**
     * Returns the request that becomes the parent of a new asynchronous dispatch. If this request belongs to an earlier asynchronous
     * dispatch, the result is the request before that earlier dispatch. So the new dispatch replaces the earlier dispatch and its query.
     * Otherwise the result is this request.
     */
    public HttpRequest beneathAsync() {
        HttpRequest beneath = this;
        for (HttpRequest one = this; one.parent != null; one = one.parent) {
            if (one.view.type() == DispatcherType.ASYNC) {
                beneath = one.parent;
            }
        }
        return beneath;
    }

    private SessionAccess session() {
        return state.session(view.context());
    }

    private RequestHead head() {
        return state.head();
    }

    private Fields fields() {
        return state.head().fields();
    }

    // ---- attributes

    @Override
    public @Nullable Object getAttribute(String name) {
        Object own = view.attributes().get(name);
        return own != null ? own : state.attributes().get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return state.attributes().names(view.attributes().keySet());
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        if (view.attributes().containsKey(name)) {
            view.attributes().remove(name);
        }
        state.attributes().set(name, value, this, view.context().listeners());
        state.exchange().attribute(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        if (view.attributes().containsKey(name)) {
            view.attributes().remove(name);
        }
        state.attributes().remove(name, this, view.context().listeners());
        state.exchange().attribute(name, null);
    }

    // ---- request line and path

    @Override
    public String getMethod() {
        return view.method();
    }

    @Override
    public String getProtocol() {
        return head().version().text();
    }

    @Override
    public String getRequestURI() {
        return view.requestUri();
    }

    @Override
    public StringBuffer getRequestURL() {
        return new StringBuffer(state.authority().origin()).append(getRequestURI());
    }

    @Override
    public String getContextPath() {
        return view.contextPath();
    }

    @Override
    public String getServletPath() {
        return view.servletPath();
    }

    @Override
    public @Nullable String getPathInfo() {
        return view.pathInfo();
    }

    @Override
    public @Nullable String getPathTranslated() {
        String info = getPathInfo();
        return info == null ? null : view.context().getRealPath(info);
    }

    @Override
    public @Nullable String getQueryString() {
        return view.query();
    }

    @Override
    public HttpServletMapping getHttpServletMapping() {
        return view.mapping();
    }

    @Override
    public DispatcherType getDispatcherType() {
        return view.type();
    }

    @Override
    public ServletContext getServletContext() {
        return view.context();
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(String path) {
        if (path == null) {
            return null;
        }
        if (path.startsWith("/")) {
            return view.context().getRequestDispatcher(path);
        }
        String current = view.currentPath();
        String folder = current.substring(0, current.lastIndexOf('/') + 1);
        return view.context().getRequestDispatcher(PathText.encode(folder.isEmpty() ? "/" : folder) + path);
    }

    // ---- fields

    @Override
    public @Nullable String getHeader(String name) {
        return fields().first(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(fields().all(name));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return Collections.enumeration(fields().names());
    }

    @Override
    public int getIntHeader(String name) {
        String value = getHeader(name);
        return value == null ? -1 : Integer.parseInt(value);
    }

    @Override
    public long getDateHeader(String name) {
        String value = getHeader(name);
        if (value == null) {
            return -1;
        }
        if (name.equalsIgnoreCase(ModifiedSince.FIELD) && ModifiedSince.isReadByHttpServlet()) {
            // An included page and an error page must be whole, whatever the client has.
            boolean isPart = response.isIncluded() || view.type() == DispatcherType.ERROR;
            return isPart || response.getStatus() / 100 != 2 ? ModifiedSince.IGNORED : ModifiedSince.of(fields());
        }
        Instant date = HttpDate.parse(value);
        if (date == null) {
            throw new IllegalArgumentException("No date in header " + name);
        }
        return Saturated.millis(date);
    }

    @Override
    public Cookie @Nullable [] getCookies() {
        return state.cookies();
    }

    @Override
    public Locale getLocale() {
        List<Locale> accepted = AcceptLanguage.parse(fields().all("Accept-Language"));
        return accepted.isEmpty() ? Locale.getDefault() : accepted.get(0);
    }

    @Override
    public Enumeration<Locale> getLocales() {
        List<Locale> accepted = AcceptLanguage.parse(fields().all("Accept-Language"));
        return Collections.enumeration(accepted.isEmpty() ? List.of(Locale.getDefault()) : accepted);
    }

    // ---- body

    @Override
    public @Nullable String getCharacterEncoding() {
        return state.body().encoding(view.context());
    }

    @Override
    public void setCharacterEncoding(String encoding) throws UnsupportedEncodingException {
        state.body().encoding(encoding);
    }

    @Override
    public void setCharacterEncoding(Charset encoding) {
        try {
            state.body().encoding(encoding.name());
        } catch (UnsupportedEncodingException e) {
            throw new IllegalArgumentException("This Java does not know the charset", e);
        }
    }

    @Override
    public int getContentLength() {
        long length = getContentLengthLong();
        return length > Integer.MAX_VALUE ? -1 : (int) length;
    }

    @Override
    public long getContentLengthLong() {
        return state.body().declaredLength();
    }

    @Override
    public @Nullable String getContentType() {
        return getHeader("Content-Type");
    }

    @Override
    public ServletInputStream getInputStream() {
        return state.body().inputStream();
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return state.body().reader(view.context());
    }

    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        return state.body().parts(view).all();
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException, ServletException {
        return state.body().parts(view).named(name);
    }

    @Override
    public boolean isTrailerFieldsReady() {
        return state.body().areTrailersReady();
    }

    @Override
    public Map<String, String> getTrailerFields() {
        if (!isTrailerFieldsReady()) {
            throw new IllegalStateException("The body has not been read to its end");
        }
        Map<String, String> map = new LinkedHashMap<>();
        Fields trailers = state.body().trailers();
        for (int i = 0; i < trailers.size(); i++) {
            map.merge(
                    trailers.name(i).toLowerCase(Locale.ROOT),
                    trailers.value(i),
                    (first, second) -> first + ", " + second);
        }
        return map;
    }

    // ---- parameters

    private Parameters parameters() {
        if (badQuery != null) {
            throw unreadable(badQuery);
        }
        if (parameters == null) {
            Parameters continued = continued();
            String own = view.ownQuery();
            try {
                parameters = own == null ? continued : state.parameters().ofDispatch(own, continued);
            } catch (Violation e) {
                badQuery = e;
                throw unreadable(e);
            }
        }
        return parameters;
    }

    /** The parameters of the dispatched request. An error page sees none if they cannot be read: that may be the error that it shows. */
    private Parameters continued() {
        if (parent == null) {
            return state.parameters().of(view);
        }
        try {
            return parent.parameters();
        } catch (IllegalStateException e) {
            if (view.type() != DispatcherType.ERROR) {
                throw e;
            }
            return Parameters.NONE;
        }
    }

    private static IllegalStateException unreadable(Violation badQuery) {
        return new IllegalStateException("The query string of the dispatch cannot be read", badQuery);
    }

    @Override
    public @Nullable String getParameter(String name) {
        return parameters().first(name);
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return parameters().all(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(parameters().names());
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        return parameters().asMap();
    }

    // ---- session

    @Override
    public @Nullable HttpSession getSession(boolean create) {
        return create ? session().findOrCreate() : session().use();
    }

    /**
     * Returns the valid session, for use by the server itself; null if there is none. Unlike {@link #getSession(boolean)}, this call never
     * adds a session cookie to the response.
     */
    public @Nullable WebSession findSession() {
        return session().find();
    }

    /**
     * Called by the server when the response is a login form. A session that this request creates waits for the login: it ends after the
     * given seconds without a request, or earlier if too many sessions wait.
     */
    public void awaitLogin(int seconds) {
        session().awaitLogin(seconds);
    }

    @Override
    public WebSession getSession() {
        return session().findOrCreate();
    }

    @Override
    public String changeSessionId() {
        return session().changeId();
    }

    @Override
    public @Nullable String getRequestedSessionId() {
        return session().requestedId();
    }

    @Override
    public boolean isRequestedSessionIdValid() {
        return session().isRequestedIdValid();
    }

    @Override
    public boolean isRequestedSessionIdFromCookie() {
        return session().isFromCookie();
    }

    @Override
    public boolean isRequestedSessionIdFromURL() {
        return session().isFromUrl();
    }

    // ---- user

    @Override
    public @Nullable String getAuthType() {
        Identity user = state.identity();
        return user == null ? null : user.type();
    }

    @Override
    public @Nullable String getRemoteUser() {
        Identity user = state.identity();
        return user == null ? null : user.principal().getName();
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        Identity user = state.identity();
        return user == null ? null : user.principal();
    }

    @Override
    public boolean isUserInRole(@Nullable String role) {
        Identity user = state.identity();
        return user != null && role != null && user.isInRole(role, view);
    }

    @Override
    public boolean authenticate(HttpServletResponse answer) throws IOException, ServletException {
        return state.identity() != null || state.guard().authenticate(this, answer);
    }

    @Override
    public void login(@Nullable String username, @Nullable String password) throws ServletException {
        if (state.identity() != null) {
            throw new ServletException("The request has a user already");
        }
        if (username == null || password == null) {
            throw new ServletException("A login needs a name and a password");
        }
        state.guard().login(this, username, password);
    }

    @Override
    public void logout() {
        state.guard().logout(this);
        state.identity(null);
    }

    // ---- connection

    @Override
    public String getScheme() {
        return state.authority().scheme();
    }

    @Override
    public String getServerName() {
        return state.authority().host();
    }

    @Override
    public int getServerPort() {
        return state.authority().port();
    }

    @Override
    public boolean isSecure() {
        return state.exchange().peer().secure();
    }

    @Override
    public String getRemoteAddr() {
        return state.exchange().peer().remoteAddress();
    }

    /** Returns the client's address instead of a host name, since the container sends no DNS queries. */
    @Override
    public String getRemoteHost() {
        return state.exchange().peer().remoteAddress();
    }

    @Override
    public int getRemotePort() {
        return state.exchange().peer().remotePort();
    }

    @Override
    public String getLocalName() {
        return state.exchange().peer().localName();
    }

    @Override
    public String getLocalAddr() {
        return state.exchange().peer().localAddress();
    }

    @Override
    public int getLocalPort() {
        return state.exchange().peer().localPort();
    }

    @Override
    public String getRequestId() {
        return state.exchange().id();
    }

    @Override
    public String getProtocolRequestId() {
        return state.exchange().protocolRequestId();
    }

    @Override
    public ServletConnection getServletConnection() {
        return new ConnectionView(
                state.exchange().peer(),
                head().version().alpn(),
                state.exchange().protocolConnectionId());
    }

    // ---- asynchronous processing

    @Override
    public AsyncContext startAsync() {
        return startAsync(this, response, AsyncSupport.Given.BY_CONTAINER);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return startAsync(request, response, AsyncSupport.Given.BY_APPLICATION);
    }

    private AsyncContext startAsync(ServletRequest request, ServletResponse response, AsyncSupport.Given given) {
        if (state.response().isClosed()) {
            throw new IllegalStateException("The response has been closed");
        }
        return state.async().start(request, response, given);
    }

    @Override
    public boolean isAsyncStarted() {
        return state.async().isStarted();
    }

    @Override
    public boolean isAsyncSupported() {
        return state.async().isSupported();
    }

    @Override
    public AsyncContext getAsyncContext() {
        return state.async().current();
    }

    /** The handler's {@code init} is called when all filters have returned and the response with status 101 has ended. */
    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> handlerClass) throws ServletException {
        return state.upgrade().to(handlerClass, view.context());
    }
}
