package io.penstock.certificates;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLDecoder;
import java.net.URLStreamHandler;
import java.net.spi.URLStreamHandlerProvider;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Answers the JDK's questions of OCSP from memory, under URLs of the scheme {@code penstock-ocsp}. In a handshake, the JDK itself would ask
 * the responder, and the handshake would wait. So {@link OcspStapling} tells the JDK that its responder has a URL of this scheme.
 *
 * <p>The class is public because the JDK makes an object of it ({@link java.util.ServiceLoader}); programs do not use it.
 *
 * <p>Thread: any; no method waits.
 */
public final class StapledAnswers extends URLStreamHandlerProvider {
    static final String SCHEME = "penstock-ocsp";

    /** For the JDK's service loader. */
    public StapledAnswers() {}

    @Override
    public @Nullable URLStreamHandler createURLStreamHandler(String protocol) {
        return protocol.equals(SCHEME) ? new Handler() : null;
    }

    private static final class Handler extends URLStreamHandler {
        @Override
        protected URLConnection openConnection(URL url) {
            return new Exchange(url);
        }
    }

    /** One question and its answer. The question is the body of a POST, or the last segment of the path (RFC 6960 appendix A.1). */
    static final class Exchange extends HttpURLConnection {
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        private Exchange(URL url) {
            super(url);
        }

        @Override
        public void connect() {
            connected = true;
        }

        @Override
        public void disconnect() {
            connected = false;
        }

        @Override
        public boolean usingProxy() {
            return false;
        }

        @Override
        public OutputStream getOutputStream() {
            return body;
        }

        @Override
        public int getResponseCode() {
            return answer() == null ? HTTP_NOT_FOUND : HTTP_OK;
        }

        @Override
        public int getContentLength() {
            ByteBuffer found = answer();
            return found == null ? 0 : found.remaining();
        }

        /** @throws FileNotFoundException if the server has no current answer for the certificate. The handshake then goes on without one */
        @Override
        public InputStream getInputStream() throws IOException {
            ByteBuffer found = answer();
            if (found == null) {
                throw new FileNotFoundException(url.toString());
            }
            byte[] bytes = new byte[found.remaining()];
            found.get(bytes);
            return new ByteArrayInputStream(bytes);
        }

        private @Nullable ByteBuffer answer() {
            try {
                return OcspStapling.current(Ocsp.idOf(body.size() > 0 ? body.toByteArray() : ofPath()));
            } catch (IllegalArgumentException e) {
                return null; // not a question
            }
        }

        private byte[] ofPath() {
            String path = url.toString();
            String last = path.substring(path.lastIndexOf('/') + 1);
            return Base64.getDecoder().decode(URLDecoder.decode(last, StandardCharsets.UTF_8));
        }
    }
}
