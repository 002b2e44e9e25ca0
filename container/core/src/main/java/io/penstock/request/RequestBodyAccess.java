package io.penstock.request;

import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.exchange.ClientFault;
import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.FormParser;
import io.penstock.http.MediaType;
import io.penstock.http.ParsedBytes;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives access to the body of a request in four forms: bytes, text, form parameters, or parts (Servlet 3.1, 3.2). An application may read
 * the body in only one form.
 *
 * <p>Thread: one application thread at a time.
 */
final class RequestBodyAccess {
    /** The buffers of a reader: 8192 characters and 8192 bytes. */
    private static final int READER = 25 << 10;

    private static final int LONGEST_CHARSET = 100;

    private final Exchange exchange;
    private final BodyInputStream stream;
    private final CountedLimits limits;
    private final ParsedBytes memory;
    private BodyUse use = BodyUse.NONE;
    private @Nullable String encoding;
    private boolean encodingFixed;
    private @Nullable BufferedReader reader;
    private @Nullable Parts parts;
    private @Nullable Exception partsFailure;

    /** The form in which the body has been read. */
    private enum BodyUse {
        NONE,
        BYTES,
        TEXT,
        FORM,
        PARTS
    }

    RequestBodyAccess(Exchange exchange, Callbacks callbacks, CountedLimits limits, ParsedBytes memory) {
        this.exchange = exchange;
        this.limits = limits;
        this.memory = memory;
        this.stream = new BodyInputStream(exchange.body(), callbacks);
    }

    BodyInputStream inputStream() {
        if (use == BodyUse.TEXT) {
            throw new IllegalStateException("getReader() has been called on this request");
        }
        if (use == BodyUse.NONE) {
            use = BodyUse.BYTES;
        }
        return stream;
    }

    BufferedReader reader(WebContext context) throws UnsupportedEncodingException {
        if (use == BodyUse.BYTES) {
            throw new IllegalStateException("getInputStream() has been called on this request");
        }
        if (reader == null) {
            Charset charset = textCharset(context, StandardCharsets.ISO_8859_1);
            try {
                memory.reserve(READER);
            } catch (Violation e) {
                throw new IllegalStateException("There is no memory for the buffers of a reader", limits.counted(e));
            }
            reader = new BufferedReader(new InputStreamReader(stream, charset));
            fixEncoding();
        }
        if (use == BodyUse.NONE) {
            use = BodyUse.TEXT;
        }
        return reader;
    }

    /**
     * The result of {@code getCharacterEncoding}: the encoding set by the application, otherwise by the client, otherwise by the context.
     * Null if no encoding is set.
     */
    @Nullable
    String encoding(WebContext context) {
        if (encoding != null) {
            return encoding;
        }
        MediaType type = mediaType();
        String declared = type == null ? null : type.charset();
        return declared != null ? declared : context.getRequestCharacterEncoding();
    }

    /** Sets the encoding. Has no effect after parameters or parts have been read, or after the application has called {@code getReader}. */
    void encoding(String name) throws UnsupportedEncodingException {
        charset(name);
        if (!encodingFixed) {
            encoding = name;
        }
    }

    /** From now on {@link #encoding(String)} has no effect. */
    void fixEncoding() {
        encodingFixed = true;
    }

    /**
     * Adds the parameters in the body: the parameters of a form, or the fields of a multipart form.
     *
     * @throws Violation if the parameters are malformed or exceed a limit
     */
    void addParameters(FormParser parser, PathView view) throws IOException, Violation {
        MediaType type = mediaType();
        if (type == null) {
            return;
        }
        if (type.is("application/x-www-form-urlencoded")) {
            addForm(parser, view);
        } else if (type.is("multipart/form-data")) {
            addFields(parser, view, type);
        }
    }

    /**
     * The parts of a multipart form.
     *
     * @throws ServletException if the body is not a multipart form
     * @throws IllegalStateException if the form is malformed or exceeds a limit, or if the servlet has no MultipartConfig
     */
    Parts parts(PathView view) throws IOException, ServletException {
        MediaType type = mediaType();
        if (type == null || !type.is("multipart/form-data")) {
            String problem = "The request's body is not multipart/form-data";
            throw new ServletException(problem, new ClientFault(415, problem));
        }
        MultipartConfigElement config = multipart(view);
        if (config == null) {
            throw new IllegalStateException("The servlet has no MultipartConfig");
        }
        try {
            return readParts(view.context(), type, config);
        } catch (Violation e) {
            throw new IllegalStateException(problem(e) + ": " + e.getMessage(), e);
        }
    }

    /**
     * The message for a violation. Frameworks search the message to recognise forms that are too large: Spring looks for {@code request}
     * and {@code large}.
     */
    private static String problem(Violation violation) {
        boolean large = violation.status() == HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE;
        return large ? "The request's multipart form is too large" : "The request's multipart form cannot be read";
    }

    @Nullable
    MediaType mediaType() {
        return MediaType.parse(exchange.head().fields().first("Content-Type"));
    }

    /** The length of the body as the client declared it, or -1. */
    long declaredLength() {
        if (exchange.head().fields().contains("Content-Length")) {
            return exchange.body().length();
        }
        return -1;
    }

    boolean areTrailersReady() {
        return exchange.body().length() >= 0 || exchange.body().isFinished();
    }

    Fields trailers() {
        return exchange.body().trailers();
    }

    void end() {
        stream.end();
        if (parts != null) {
            parts.delete();
        }
    }

    private void addForm(FormParser parser, PathView view) throws IOException, Violation {
        if (use != BodyUse.NONE || !hasForms(exchange.head().method())) {
            return;
        }
        use = BodyUse.FORM;
        // ISO-8859-1 is the default for forms (Servlet 3.12).
        Charset charset = textCharset(view.context(), StandardCharsets.ISO_8859_1);
        try {
            // A form that declares its length is refused before any of it is parsed.
            if (exchange.body().length() > limits.values().formBytes()) {
                throw new Violation(Key.FORM_LIMIT);
            }
            parser.parse(stream, charset);
        } catch (Violation e) {
            throw limits.counted(e);
        }
    }

    /** Whether a form in the body is read for parameters: that of POST (Servlet 6.1, 3.1.1), and that of QUERY (Servlet 6.2, RFC 10008). */
    private static boolean hasForms(String method) {
        return method.equals("POST") || method.equals("QUERY");
    }

    private void addFields(FormParser parser, PathView view, MediaType type) throws IOException, Violation {
        MultipartConfigElement config = multipart(view);
        if (config == null || (use != BodyUse.NONE && use != BodyUse.PARTS)) {
            return;
        }
        Charset charset = textCharset(view.context(), StandardCharsets.UTF_8);
        // readParts counts an exceeded limit itself, so this call is outside the try statement.
        List<StoredPart> stored = readParts(view.context(), type, config).stored();
        try {
            addFields(parser, stored, charset);
        } catch (Violation e) {
            throw limits.counted(e);
        }
    }

    /** Adds the text of the fields. A field has the charset of its own part, else that of the form, else {@code ofRequest}. */
    private void addFields(FormParser parser, List<StoredPart> stored, Charset ofRequest)
            throws IOException, Violation {
        long room = limits.values().formBytes();
        Charset ofForm = formCharset(stored, ofRequest);
        for (StoredPart part : stored) {
            if (part.isField()) {
                room -= part.getSize();
                // The size is checked before the text is read into memory, since the text may be as large as a file.
                if (room < 0) {
                    throw new Violation(Key.FORM_LIMIT);
                }
                MediaType type = MediaType.parse(part.getContentType());
                String own = type == null ? null : type.charset();
                parser.add(part.getName(), part.text(own == null ? ofForm : clientCharset(own), memory));
            }
        }
    }

    /** The charset that the form names in the field {@code _charset_} (RFC 7578 section 4.6). Browsers fill in this field. */
    private Charset formCharset(List<StoredPart> stored, Charset ofRequest) throws IOException, Violation {
        for (StoredPart part : stored) {
            if (part.isField() && part.getName().equals("_charset_") && part.getSize() <= LONGEST_CHARSET) {
                String name = part.text(StandardCharsets.US_ASCII, memory).strip();
                return name.isEmpty() ? ofRequest : clientCharset(name);
            }
        }
        return ofRequest;
    }

    private Parts readParts(WebContext context, MediaType type, MultipartConfigElement config)
            throws IOException, Violation {
        if (partsFailure instanceof Violation violation) {
            throw violation;
        }
        if (partsFailure != null) {
            throw new IOException("An earlier attempt to read the multipart form failed", partsFailure);
        }
        if (use == BodyUse.BYTES || use == BodyUse.TEXT) {
            throw new IllegalStateException("The body has been taken by getInputStream() or getReader()");
        }
        if (parts != null) {
            return parts;
        }
        use = BodyUse.PARTS;
        fixEncoding();
        Parts reading = new Parts(memory);
        // The field is set before the read, so that the end of the request deletes the files that the read creates.
        parts = reading;
        Object temporary = Objects.requireNonNull(context.getAttribute(ServletContext.TEMPDIR));
        try {
            reading.read(
                    stream,
                    exchange.body().file(),
                    exchange.disk(),
                    type,
                    config,
                    limits.multipart(config.getMaxRequestSize()),
                    ((File) temporary).toPath());
        } catch (Violation e) {
            partsFailure = e;
            throw limits.counted(e);
        } catch (IOException e) {
            partsFailure = e;
            throw e;
        }
        return reading;
    }

    private static @Nullable MultipartConfigElement multipart(PathView view) {
        ServletHolder servlet = view.servlet();
        return servlet == null ? null : servlet.multipart();
    }

    /** The charset of the body's text. If the client has named an unknown charset, this is a client error. */
    private Charset textCharset(WebContext context, Charset otherwise) throws UnsupportedEncodingException {
        String name = encoding(context);
        if (name == null) {
            return otherwise;
        }
        MediaType type = mediaType();
        boolean ofClient = encoding == null && type != null && type.charset() != null;
        return ofClient ? clientCharset(name) : charset(name);
    }

    private static Charset clientCharset(String name) throws UnsupportedEncodingException {
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw unsupported(name, new ClientFault(415, "unknown charset"));
        }
    }

    private static Charset charset(String name) throws UnsupportedEncodingException {
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw unsupported(name, e);
        }
    }

    private static UnsupportedEncodingException unsupported(String name, Exception cause) {
        UnsupportedEncodingException unsupported = new UnsupportedEncodingException(name);
        unsupported.initCause(cause);
        return unsupported;
    }
}
