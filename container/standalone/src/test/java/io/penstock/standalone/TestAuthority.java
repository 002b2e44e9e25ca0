package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.testing.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A certificate authority that OpenSSL creates in a folder. A test that uses this class needs {@link Program#OPENSSL}. */
final class TestAuthority {
    private static final String CONFIGURATION = """
            [req]
            distinguished_name = name
            prompt = no
            [name]
            CN = ${ENV::SUBJECT}
            [authority]
            basicConstraints = critical, CA:TRUE
            keyUsage = critical, keyCertSign
            subjectKeyIdentifier = hash
            [server]
            basicConstraints = critical, CA:FALSE
            extendedKeyUsage = serverAuth
            subjectAltName = DNS:localhost, DNS:staff.localhost, IP:127.0.0.1
            [client]
            basicConstraints = critical, CA:FALSE
            extendedKeyUsage = clientAuth
            """;

    private static final int DAYS = 30;

    private final Path folder;

    TestAuthority(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        Files.writeString(folder.resolve("req.cnf"), CONFIGURATION);
        request("Penstock test authority", "authority", "ca", DAYS, List.of());
    }

    /** Returns the file with the certificate of the authority in PEM form. */
    Path certificate() {
        return folder.resolve("ca.pem");
    }

    /** Creates a certificate for {@code localhost}, and its private key in another file. Returns the file of the certificate. */
    Path server() throws IOException, InterruptedException {
        return issue("localhost", "server", "server");
    }

    /** Creates a certificate for {@code localhost} that is valid for the given number of days. */
    Path server(int days) throws IOException, InterruptedException {
        request("localhost", "server", "server", days, List.of("-CA", "ca.pem", "-CAkey", "ca.key"));
        return folder.resolve("server.pem");
    }

    Path client(String subject) throws IOException, InterruptedException {
        return issue(subject, "client", "client");
    }

    static Path key(Path certificate) {
        return certificate.resolveSibling(certificate.getFileName().toString().replace(".pem", ".key"));
    }

    private Path issue(String subject, String extensions, String name) throws IOException, InterruptedException {
        request(subject, extensions, name, DAYS, List.of("-CA", "ca.pem", "-CAkey", "ca.key"));
        return folder.resolve(name + ".pem");
    }

    private void request(String subject, String extensions, String name, int days, List<String> signing)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(Program.OPENSSL.path().toString(), "req", "-x509"));
        words.addAll(
                List.of("-config", "req.cnf", "-extensions", extensions, "-days", Integer.toString(days), "-nodes"));
        words.addAll(List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"));
        words.addAll(List.of("-keyout", name + ".key", "-out", name + ".pem"));
        words.addAll(signing);
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("SUBJECT", subject);
        Process openssl = builder.start();
        openssl.getOutputStream().close();
        String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, openssl.waitFor(), said);
    }
}
