package io.penstock.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.limits.Tls;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Provider;
import java.security.Security;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the configuration key {@code tls-provider}. A provider implements TLS, or only algorithms that TLS uses. An unusable provider is
 * an error. The server never uses another provider instead.
 */
class TlsProviderTest {
    private static final String OWN = "PenstockTest";

    @TempDir
    Path folder;

    @AfterEach
    void restoreProviders() {
        Security.removeProvider(OWN);
    }

    private static void assertRefused(String message, String name) {
        TlsSetupException refused = assertThrows(TlsSetupException.class, () -> TlsProvider.named(name));
        assertEquals("tls-provider: '" + name + "' " + message, refused.getMessage());
    }

    @Test
    void theProviderOfTheJdkIsUsedByDefault() throws Exception {
        assertEquals(
                SSLContext.getInstance("TLS").getProvider(),
                TlsProvider.named(Tls.JDK).context().getProvider());
    }

    @Test
    void anUnknownProviderAndAClassThatIsNotAProviderAreRefused() {
        assertRefused("is neither the name nor the class of a security provider on the class path", "Unknown");
        assertRefused("is not a security provider", "java.lang.String");
    }

    @Test
    void aProviderWithoutAlgorithmsIsRefused() {
        assertRefused(
                "offers no algorithm of TLS; its native library may be missing, or be made for another system",
                Empty.class.getName());
        assertEquals(null, Security.getProvider(OWN));
    }

    @Test
    void aProviderThatCannotBeCreatedIsRefused() {
        assertRefused("cannot be used: java.lang.UnsatisfiedLinkError: no library of a test", Unlinked.class.getName());
    }

    @Test
    void theAlgorithmsOfAProviderWithoutTlsArePreferredInTheWholeProcess() throws Exception {
        TlsProvider.named(Digests.class.getName());
        assertEquals(OWN, Security.getProviders()[0].getName());
        assertEquals(OWN, MessageDigest.getInstance("SHA-256").getProvider().getName());
    }

    @Test
    void anInstalledProviderWithoutTlsBecomesTheFirstProviderOfTheProcess() throws Exception {
        Provider installed = new Digests();
        Security.addProvider(installed);
        TlsProvider.named(OWN);
        assertSame(installed, Security.getProviders()[0]);
        TlsProvider.named(OWN); // the second call has no effect
        assertSame(installed, Security.getProviders()[0]);
    }

    @Test
    void aProviderWithTlsDoesNotBecomeTheFirstProviderOfTheProcess() throws Exception {
        Provider[] before = Security.getProviders();
        SSLContext context = TlsProvider.named("SunJSSE").context();
        assertEquals("SunJSSE", context.getProvider().getName());
        assertEquals(before[0], Security.getProviders()[0]);
    }

    @Test
    void certificatesCannotBeOpenedWithAnUnknownProvider() {
        TlsSetupException refused = assertThrows(
                TlsSetupException.class,
                () -> new TlsFiles(folder).selfSigned().provider("Unknown").open());
        assertEquals(
                "tls-provider: 'Unknown' is neither the name nor the class of a security provider on the class path",
                refused.getMessage());
    }

    /** A provider without algorithms. Some providers have no algorithms if their native library is missing. */
    public static final class Empty extends Provider {
        private static final long serialVersionUID = 1L;

        public Empty() {
            super(OWN, "1", "empty");
        }
    }

    /** A provider whose constructor fails because a native library is missing. */
    public static final class Unlinked extends Provider {
        private static final long serialVersionUID = 1L;

        public Unlinked() {
            super(OWN, "1", "unlinked");
            throw new UnsatisfiedLinkError("no library of a test");
        }
    }

    /** A provider with one algorithm, SHA-256. The implementation is a class of the JDK. */
    public static final class Digests extends Provider {
        private static final long serialVersionUID = 1L;

        public Digests() {
            super(OWN, "1", "digests");
            put("MessageDigest.SHA-256", "sun.security.provider.SHA2$SHA256");
        }
    }
}
