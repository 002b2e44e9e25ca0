package io.penstock.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * An authority that signs certificates, and its OCSP responder. Keys, certificates and answers are made by {@link Program#OPENSSL}.
 *
 * <p>Thread: any for the responder; the methods that make certificates, that of the test.
 */
public final class OcspAuthority implements AutoCloseable {
    private final Path folder;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();
    private final HttpServer responder;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    /** @param folder gets the files of the authority, and {@code chain.pem} */
    public OcspAuthority(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        responder = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        responder.createContext("/", this::answer);
        responder.setExecutor(threads);
        responder.start();
        openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 30 -subj /CN=Authority"
                + " -keyout ca.key -out ca.pem");
        Files.writeString(
                folder.resolve("extensions"),
                "[with]\nsubjectAltName=DNS:localhost\nauthorityInfoAccess=OCSP;URI:http://127.0.0.1:"
                        + responder.getAddress().getPort() + "/\n[without]\nsubjectAltName=DNS:localhost\n");
        issue("1001", true);
    }

    /** Stops the responder: nobody can connect any more. */
    public void stopResponder() {
        responder.stop(0);
    }

    /** Questions get no answer until {@link #release}. */
    public void hold() {
        gate = new CountDownLatch(1);
    }

    /** Ends {@link #hold}. */
    public void release() {
        gate.countDown();
    }

    /** The number of questions that the responder has got. */
    public int questions() {
        return questions.get();
    }

    /** The number of questions that have been answered. */
    public int answered() {
        return answered.get();
    }

    /** The certificate of the authority. */
    public Path certificate() {
        return folder.resolve("ca.pem");
    }

    /** The newest certificate for {@code localhost}, that of the authority, and the key of the first, in PEM. */
    public Path chain() {
        return folder.resolve("chain.pem");
    }

    /**
     * Makes a certificate, and replaces {@link #chain}.
     *
     * @param serial the number of the certificate, in hexadecimal digits
     * @param namesResponder whether the certificate has the address of the responder
     */
    public void issue(String serial, boolean namesResponder) throws IOException, InterruptedException {
        openssl("req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj /CN=" + serial
                + " -keyout own.key -out own.csr");
        openssl("x509 -req -in own.csr -CA ca.pem -CAkey ca.key -days 20 -set_serial 0x" + serial
                + " -extfile extensions -extensions " + (namesResponder ? "with" : "without") + " -out own.pem");
        status("V\t491231000000Z\t\t" + serial);
        Files.writeString(
                folder.resolve("chain.new"),
                Files.readString(folder.resolve("own.pem"))
                        + Files.readString(certificate())
                        + Files.readString(folder.resolve("own.key")));
        Files.move(folder.resolve("chain.new"), chain(), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Revokes the certificate with this number. */
    public void revoke(String serial) throws IOException {
        status("R\t491231000000Z\t260101000000Z\t" + serial);
    }

    private void status(String entry) throws IOException {
        Files.writeString(folder.resolve("index"), entry + "\tunknown\t/CN=any\n");
    }

    /** What OpenSSL says of a handshake with this port, in which it asks for the answer of the responder. */
    public String handshake(int port) throws IOException, InterruptedException {
        return openssl("s_client -connect 127.0.0.1:" + port + " -servername localhost -status -CAfile ca.pem");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            int number = questions.incrementAndGet();
            gate.await();
            Files.write(
                    folder.resolve("question" + number),
                    exchange.getRequestBody().readAllBytes());
            openssl("ocsp -index index -CA ca.pem -rsigner ca.pem -rkey ca.key -ndays 3 -reqin question" + number
                    + " -respout answer" + number);
            byte[] answer = Files.readAllBytes(folder.resolve("answer" + number));
            answered.incrementAndGet();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String openssl(String command) throws IOException, InterruptedException {
        Process openssl = new ProcessBuilder(
                        Stream.concat(Stream.of(Program.OPENSSL.path().toString()), Stream.of(command.split(" ")))
                                .toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        openssl.getOutputStream().close();
        String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (openssl.waitFor() != 0) {
            throw new IOException("openssl " + command + ": " + said);
        }
        return said;
    }

    @Override
    public void close() {
        release();
        responder.stop(0);
        threads.shutdownNow();
    }
}
