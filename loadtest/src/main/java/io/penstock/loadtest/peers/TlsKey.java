package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A key on the curve P-256 and its certificate, which it has signed itself, for servers that are compared over TLS.
 *
 * <p>Owns: the folder of the file, until it is closed.
 */
public final class TlsKey implements AutoCloseable {
    /** Protects nothing; the servers' programs know it. */
    private static final String PASSWORD = "comparison";

    /** The suites of the servers' programs. */
    public static final List<String> SUITES =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");

    private final Path folder;

    private TlsKey(Path folder) {
        this.folder = folder;
    }

    /** Makes one with the JDK's own tool. */
    public static TlsKey create() throws IOException, InterruptedException {
        Path folder = Folders.create("penstock-key-");
        try {
            TlsKey key = new TlsKey(folder);
            Process tool =
                    new ProcessBuilder(key.command()).redirectErrorStream(true).start();
            tool.getOutputStream().close();
            String words = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (tool.waitFor() != 0) {
                throw new IOException("keytool makes no key: " + words.strip());
            }
            return key;
        } catch (IOException | InterruptedException failed) {
            Folders.delete(folder);
            throw failed;
        }
    }

    private List<String> command() {
        return List.of(
                JvmSettings.ownJava().resolveSibling("keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file().toString(),
                "-storepass",
                PASSWORD);
    }

    /** PKCS#12. */
    Path file() {
        return folder.resolve("server.p12");
    }

    @Override
    public void close() throws IOException {
        Folders.delete(folder);
    }
}
