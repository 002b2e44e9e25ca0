package io.penstock.request;

import io.penstock.http.HttpDate;
import io.penstock.http.SetCookie;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The response as the filters and the servlet of one dispatch see it. Each dispatch has its own response object, called a façade. All
 * façades of a response share one {@link ResponseState}. In an include, all calls except writes to the body are ignored (Servlet 9.3).
 *
 * <p>Thread: one application thread at a time.
 */
public final class HttpResponse implements HttpServletResponse, FileTransfer {
    private final ResponseState state;
    private final RequestState request;
    private final PathView view;
    private final Role role;

    /** The methods of the façade that have an effect. */
    public enum Role {
        /** All methods have an effect. */
        ANSWERING,
        /** Only writes to the body have an effect. */
        INCLUDED
    }

    /** Makes the response to {@code request} for the dispatch that {@code view} describes. */
    HttpResponse(RequestState request, PathView view, Role role) {
        this.state = request.response();
        this.request = request;
        this.view = view;
        this.role = role;
    }

    public ResponseState state() {
        return state;
    }

    /** Whether only writes to the body have an effect. */
    public boolean isIncluded() {
        return role == Role.INCLUDED;
    }

    /** Whether changes to the head have an effect. */
    private boolean isOpen() {
        return role == Role.ANSWERING && !state.isCommitted();
    }

    // ---- status and fields

    /**
     * A 1xx status can be set and read. But {@link ResponseState#commit} sends 500 instead; the exception is 101 after an upgrade request.
     */
    @Override
    public void setStatus(int code) {
        checkDigits(code);
        if (isOpen()) {
            state.status(code);
        }
    }

    @Override
    public int getStatus() {
        return state.status();
    }

    @Override
    public void setHeader(@Nullable String name, @Nullable String value) {
        if (isOpen() && name != null && !name.isEmpty() && !isSpecial(name, value)) {
            state.fields().set(name, value);
        }
    }

    @Override
    public void addHeader(@Nullable String name, @Nullable String value) {
        if (isOpen() && name != null && !name.isEmpty() && value != null && !isSpecial(name, value)) {
            state.fields().add(name, value);
        }
    }

    @Override
    public void setDateHeader(@Nullable String name, long date) {
        setHeader(name, HttpDate.format(Instant.ofEpochMilli(date)));
    }

    @Override
    public void addDateHeader(@Nullable String name, long date) {
        addHeader(name, HttpDate.format(Instant.ofEpochMilli(date)));
    }

    @Override
    public void setIntHeader(@Nullable String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(@Nullable String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public boolean containsHeader(String name) {
        return getHeader(name) != null;
    }

    @Override
    public @Nullable String getHeader(@Nullable String name) {
        if (name == null) {
            return null;
        }
        if (name.equalsIgnoreCase("Content-Type")) {
            return getContentType();
        }
        if (name.equalsIgnoreCase("Content-Length")) {
            return state.declaredLength() < 0 ? null : Long.toString(state.declaredLength());
        }
        return state.fields().first(name);
    }

    @Override
    public Collection<String> getHeaders(@Nullable String name) {
        if (name == null) {
            return List.of();
        }
        if (name.equalsIgnoreCase("Content-Type") || name.equalsIgnoreCase("Content-Length")) {
            String value = getHeader(name);
            return value == null ? List.of() : List.of(value);
        }
        return state.fields().all(name);
    }

    @Override
    public Collection<String> getHeaderNames() {
        Collection<String> names = state.fields().names();
        if (getContentType() != null) {
            names.add("Content-Type");
        }
        if (state.declaredLength() >= 0) {
            names.add("Content-Length");
        }
        return names;
    }

    /** @throws IllegalArgumentException if the cookie has characters that a header cannot carry */
    @Override
    public void addCookie(Cookie cookie) {
        if (isOpen()) {
            state.fields()
                    .add(
                            "Set-Cookie",
                            SetCookie.format(
                                    cookie.getName(),
                                    cookie.getValue() == null ? "" : cookie.getValue(),
                                    cookie.getAttributes(),
                                    Instant.now()));
        }
    }

    @Override
    public String encodeURL(String url) {
        return request.session(view.context()).encode(url, request.authority(), request.requestedUri());
    }

    @Override
    public String encodeRedirectURL(String url) {
        return encodeURL(url);
    }

    @Override
    public void setTrailerFields(@Nullable Supplier<Map<String, String>> supplier) {
        state.trailers(supplier);
    }

    @Override
    public @Nullable Supplier<Map<String, String>> getTrailerFields() {
        return state.trailerSupplier();
    }

    // ---- description of the body

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        if (isOpen()) {
            try {
                state.declareLength(Math.max(length, -1));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void setContentType(@Nullable String type) {
        if (isOpen()) {
            state.content().type(type);
        }
    }

    @Override
    public @Nullable String getContentType() {
        return state.content().contentType();
    }

    @Override
    public void setCharacterEncoding(@Nullable String encoding) {
        if (isOpen()) {
            state.content().charset(encoding);
        }
    }

    @Override
    public void setCharacterEncoding(@Nullable Charset encoding) {
        setCharacterEncoding(encoding == null ? null : encoding.name());
    }

    @Override
    public String getCharacterEncoding() {
        return state.content().charset();
    }

    @Override
    public void setLocale(@Nullable Locale locale) {
        if (isOpen()) {
            state.content().locale(locale);
            state.fields().set("Content-Language", locale == null ? null : locale.toLanguageTag());
        }
    }

    @Override
    public Locale getLocale() {
        return state.content().locale();
    }

    // ---- the body

    @Override
    public ServletOutputStream getOutputStream() {
        return state.outputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        return state.writer();
    }

    @Override
    public void setBufferSize(int size) {
        if (role == Role.ANSWERING) {
            state.resize(size);
        }
    }

    @Override
    public int getBufferSize() {
        return state.bufferSize();
    }

    @Override
    public void flushBuffer() throws IOException {
        state.flush();
    }

    @Override
    public void resetBuffer() {
        if (role == Role.ANSWERING) {
            state.resetBuffer();
        } else {
            state.checkUncommitted();
        }
    }

    @Override
    public void reset() {
        if (role == Role.ANSWERING) {
            state.reset();
        } else {
            state.checkUncommitted();
        }
    }

    @Override
    public boolean isCommitted() {
        return state.isCommitted();
    }

    @Override
    public boolean canSendFile() {
        return role == Role.ANSWERING && state.isUntouched();
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        if (!canSendFile()) {
            file.close();
            throw new IllegalStateException("The response has been committed, or has a body already");
        }
        state.sendFile(file, position, count);
    }

    /**
     * Sends the fields that the response has so far in an interim response with the status 103, and keeps them (Servlet 6.2; RFC 8297).
     * Fields of the connection, the length, and the cookie of a session are not sent. The call has no effect after the response is
     * committed, in an include, for HTTP/1.0, or while the client has not taken earlier bytes: it never waits for the client.
     *
     * <p>With the API 6.2 this method implements that of the interface. This class is compiled with the API 6.1, which does not have the
     * method: then an application needs reflection, on a response that is not wrapped.
     */
    public void sendEarlyHints() {
        if (isOpen()) {
            state.earlyHints();
        }
    }

    // ---- responses in one call

    @Override
    public void sendError(int code) {
        sendError(code, null);
    }

    @Override
    public void sendError(int code, @Nullable String message) {
        checkFinal(code);
        if (role == Role.INCLUDED) {
            state.checkUncommitted();
            return;
        }
        state.sendError(code, message);
    }

    @Override
    public void sendRedirect(String location, int code, boolean clearBuffer) throws IOException {
        if (location == null) {
            throw new IllegalArgumentException("No location to redirect to");
        }
        checkFinal(code);
        if (role == Role.INCLUDED) {
            return;
        }
        state.checkUncommitted();
        // The base is the URI in the client's address bar, also after a forward, whose target the client may not reach.
        String target = Redirect.location(location, state.redirects(), request.authority(), request.requestedUri());
        if (clearBuffer) {
            state.startOver(code);
            byte[] note = note(target);
            state.content().type("text/html;charset=UTF-8");
            state.outputStream().write(note);
        }
        state.status(code);
        state.fields().set("Location", target);
        state.end();
    }

    /** Makes the short hypertext note with a link to the new location (RFC 9110 section 15.4.3). */
    private static byte[] note(String location) {
        String text = "<!DOCTYPE html>\n<title>Redirect</title>\n<p>The page is at <a href=\"" + Html.escape(location)
                + "\">" + Html.escape(location) + "</a>.</p>\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Handles the fields that are not stored as ordinary field lines, and returns true for them. Content-Type and Content-Length are stored
     * elsewhere. Transfer-Encoding is ignored, since only the protocol's own code may write this field.
     */
    private boolean isSpecial(String name, @Nullable String value) {
        if (name.equalsIgnoreCase("Content-Type")) {
            state.content().type(value);
            return true;
        }
        if (name.equalsIgnoreCase("Content-Length")) {
            setContentLengthLong(value == null ? -1 : parseLength(value));
            return true;
        }
        return name.equalsIgnoreCase("Transfer-Encoding");
    }

    /** Refuses a 1xx status. A client would take the response for an interim response, and would continue to wait. */
    private static void checkFinal(int code) {
        if (code < 200) {
            throw new IllegalArgumentException("Not a valid status of a response: " + code);
        }
        checkDigits(code);
    }

    private static void checkDigits(int code) {
        if (code < 100 || code > 999) {
            throw new IllegalArgumentException("Not a valid status of a response: " + code);
        }
    }

    private static long parseLength(String value) {
        try {
            return Long.parseLong(value.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Not a valid content length", e);
        }
    }
}
