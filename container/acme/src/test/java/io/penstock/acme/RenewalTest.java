package io.penstock.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests when certificates are ordered, over several weeks. The test sets the clock. */
class RenewalTest {
    @TempDir
    Path folder;

    private AcmeAuthority authority;

    @BeforeEach
    void anAuthority() throws Exception {
        authority = new AcmeAuthority();
    }

    @AfterEach
    void closeAuthority() {
        authority.close();
    }

    @Test
    void theFirstCheckOrdersACertificateForAllNames() throws Exception {
        try (ServedFile server = new ServedFile(folder, authority, "a.example", "b.example")) {
            assertNull(server.current());
            server.look();
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
        try (ServedFile server = new ServedFile(folder, authority, "a.example")) {
            server.look();
            X509Certificate first = server.current();
            server.time.pass(Duration.ofDays(60).minusMinutes(1));
            server.look();
            assertEquals(1, authority.signed());
            server.time.pass(Duration.ofMinutes(1));
            authority.forgetProofs();
            server.look();
            assertEquals(2, authority.signed());
            assertEquals(2, server.count());
            assertNotEquals(first, server.current());
            assertNotEquals(
                    first.getPublicKey(), server.current().getPublicKey(), "both certificates have the same key");
            assertEquals(1, authority.accounts());
        }
    }

    @Test
    void aRestartUsesTheStoredAccountAndCertificate() throws Exception {
        X509Certificate kept;
        try (ServedFile server = new ServedFile(folder, authority, "a.example")) {
            server.look();
            kept = server.current();
        }
        try (ServedFile server = new ServedFile(folder, authority, "a.example")) {
            server.look();
            assertEquals(kept, server.current());
            assertEquals(1, authority.signed());
            server.time.pass(Duration.ofDays(60));
            server.look();
            assertEquals(2, authority.signed());
        }
        assertEquals(1, authority.accounts());
    }

    @Test
    void anAddedNameCausesAnOrderAndARemovedNameDoesNot() throws Exception {
        try (ServedFile server = new ServedFile(folder, authority, "a.example", "b.example")) {
            server.look();
        }
        try (ServedFile server = new ServedFile(folder, authority, "b.example")) {
            server.look();
            assertEquals(0, server.count());
        }
        try (ServedFile server = new ServedFile(folder, authority, "b.example", "c.example")) {
            server.look();
            assertEquals(1, server.count());
        }
    }

    /** With a wrong clock, a new certificate may seem to be expired. The server must not order the certificate again and again. */
    @Test
    void aWrongClockCausesOneOrderPerHour() throws Exception {
        try (ServedFile server = new ServedFile(folder, authority, "a.example")) {
            authority.begin = () -> server.time.instant().minus(Duration.ofDays(400));
            server.look();
            server.time.pass(AcmeOrders.AFTER_SUCCESS.minusSeconds(1));
            server.look();
            assertEquals(1, authority.signed());
            server.time.pass(Duration.ofSeconds(1));
            server.look();
            assertEquals(2, authority.signed());
        }
    }

    @Test
    void theStoredFilesArePemAndOnlyTheirOwnerCanReadTheFiles() throws Exception {
        try (ServedFile server = new ServedFile(folder.resolve("new"), authority, "a.example")) {
            server.look();
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
