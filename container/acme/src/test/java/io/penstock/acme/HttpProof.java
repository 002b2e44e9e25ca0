package io.penstock.acme;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Checks the proof of the challenge {@code http-01} (RFC 8555 section 8.3). The check always connects to this machine. */
public final class HttpProof implements AcmeAuthority.Proof {
    private static final int PATIENCE_MILLIS = 60_000;

    private final IntSupplier port;

    public HttpProof(IntSupplier port) {
        this.port = port;
    }

    @Override
    public @Nullable String wrong(String host, String token, String keyAuthorization) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.getAsInt())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            String request = "GET /.well-known/acme-challenge/" + token + " HTTP/1.1\r\nHost: " + host
                    + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            boolean right = answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("\r\n\r\n" + keyAuthorization);
            return right ? null : "the response is " + answer;
        } catch (IOException e) {
            return e.toString();
        }
    }
}
