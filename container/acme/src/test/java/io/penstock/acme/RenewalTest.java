package io.penstock.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the times at which the server orders certificates, over several weeks. The tests advance the clock. */
class RenewalTest {
    @TempDir
    Path folder;

    private AcmeAuthority authority;

    @BeforeEach
    void startAuthority() throws Exception {
        authority = new AcmeAuthority();
    }

    @AfterEach
    void closeAuthority() {
        authority.close();
    }

    @Test
    void theFirstCheckOrdersACertificateForAllHostNames() throws Exception {
        try (AcmeTestServer server = new AcmeTestServer(folder, authority, "a.example", "b.example")) {
            assertNull(server.current());
            server.checkOrders();
            X509Certificate got = server.current();
            got.verify(authority.certificate().getPublicKey());
            assertEquals(
                    List.of(List.of(2, "a.example"), List.of(2, "b.example")),
                    List.copyOf(got.getSubjectAlternativeNames()));
            assertEquals(0, server.orders().failures());
            assertEquals(
                    List.of("mailto:admin@example.org"), authority.account(0).get("contact"));
            assertNull(server.httpChallenges().answer("/.well-known/acme-challenge/any"));
        }
    }

    @Test
    void aCertificateIsRenewedWhenAThirdOfItsLifetimeRemains() throws Exception {
        try (AcmeTestServer server = new AcmeTestServer(folder, authority, "a.example")) {
            server.checkOrders();
            X509Certificate first = server.current();
            server.time.advance(Duration.ofDays(60).minusMinutes(1));
            server.checkOrders();
            assertEquals(1, authority.signed());
            server.time.advance(Duration.ofMinutes(1));
            authority.expireAuthorizations();
            server.checkOrders();
            assertEquals(2, authority.signed());
            assertEquals(2, server.count());
            assertNotEquals(first, server.current());
            assertNotEquals(
                    first.getPublicKey(), server.current().getPublicKey(), "both certificates have the same key");
            assertEquals(1, authority.accounts());
        }
    }

    @Test
    void aRestartedServerUsesTheStoredAccountAndCertificate() throws Exception {
        X509Certificate kept;
        try (AcmeTestServer server = new AcmeTestServer(folder, authority, "a.example")) {
            server.checkOrders();
            kept = server.current();
        }
        try (AcmeTestServer server = new AcmeTestServer(folder, authority, "a.example")) {
            server.checkOrders();
            assertEquals(kept, server.current());
            assertEquals(1, authority.signed());
            server.time.advance(Duration.ofDays(60));
            server.checkOrders();
            assertEquals(2, authority.signed());
        }
        assertEquals(1, authority.accounts());
    }

    @Test
    void anAddedHostNameCausesAnOrderAndARemovedHostNameCausesNoOrder() throws Exception {
        try (AcmeTestServer server = new AcmeTestServer(folder, authority, "a.example", "b.example")) {
            server.checkOrders();
        }
        try (AcmeTestServer server = new AcmeTestServer(folder, authority, "b.example")) {
            server.checkOrders();
            assertEquals(0, server.count());
        }
        try (AcmeTestServer server = new AcmeTestServer(folder, authority, "b.example", "c.example")) {
            server.checkOrders();
            assertEquals(1, server.count());
        }
    }

    /** If the clock is wrong, a new certificate can seem to be expired. The server must not order certificates again and again. */
    @Test
    void aWrongClockCausesAtMostOneOrderPerHour() throws Exception {
        try (AcmeTestServer server = new AcmeTestServer(folder, authority, "a.example")) {
            authority.begin = () -> server.time.instant().minus(Duration.ofDays(400));
            server.checkOrders();
            server.time.advance(AcmeOrders.AFTER_SUCCESS.minusSeconds(1));
            server.checkOrders();
            assertEquals(1, authority.signed());
            server.time.advance(Duration.ofSeconds(1));
            server.checkOrders();
            assertEquals(2, authority.signed());
        }
    }

    /** A wrong clock is often years ahead or behind, for example after the battery of the machine was empty. */
    @Test
    void aClockThatIsSetBackDelaysNoOrder() throws Exception {
        try (AcmeTestServer server = new AcmeTestServer(folder, authority, "a.example")) {
            Instant right = server.time.instant();
            authority.begin = () -> right;
            server.time.advance(Duration.ofDays(1000));
            server.checkOrders();
            assertEquals(1, authority.signed());
            server.time.advance(Duration.ofDays(-1000));
            server.checkOrders();
            server.time.advance(Duration.ofDays(60));
            server.checkOrders();
            assertEquals(2, authority.signed());
        }
    }

    @Test
    void aClockThatIsSetBackDoesNotShortenThePauseAfterAFailure() throws Exception {
        try (AcmeTestServer server = new AcmeTestServer(folder, authority, "a.example")) {
            authority.on("order", AcmeAuthority.answers(403, "rejectedIdentifier", "not for you"));
            server.checkOrders();
            server.time.advance(Duration.ofDays(-1000));
            server.checkOrders();
            assertEquals(1, server.orders().failures());
            server.time.advance(RetryPause.FIRST);
            server.checkOrders();
            assertEquals(2, server.orders().failures());
        }
    }

    @Test
    void theCertificateFileIsPemAndOtherUsersCannotReadTheStoredFiles() throws Exception {
        try (AcmeTestServer server = new AcmeTestServer(folder.resolve("new"), authority, "a.example")) {
            server.checkOrders();
        }
        Path certificate = folder.resolve("new/certificate.pem");
        String text = Files.readString(certificate);
        assertTrue(text.startsWith("-----BEGIN CERTIFICATE-----\n"), text);
        assertTrue(text.contains("-----BEGIN PRIVATE KEY-----\n"), text);
        for (String name : List.of("certificate.pem", "account.pem", "lock")) {
            assertEquals(
                    "[OWNER_READ, OWNER_WRITE]",
                    Files.getPosixFilePermissions(folder.resolve("new").resolve(name)).stream()
                            .sorted()
                            .toList()
                            .toString(),
                    name);
        }
        assertEquals(3, Files.getPosixFilePermissions(folder.resolve("new")).size());
        try (var files = Files.list(folder.resolve("new"))) {
            assertEquals(3, files.count(), "a partial file remains");
        }
    }
}
