package io.penstock.ldap;

import static io.penstock.ldap.TestDirectory.GROUPS;
import static io.penstock.ldap.TestDirectory.PEOPLE;
import static io.penstock.ldap.TestDirectory.SERVER;
import static io.penstock.ldap.TestDirectory.SERVER_PASSWORD;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import io.penstock.certificates.Issued;
import io.penstock.certificates.TlsSetupException;
import io.penstock.limits.Ldap;
import io.penstock.limits.Switch;
import io.penstock.realm.Realm;
import io.penstock.time.ManualClock;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the users of a directory, with a directory in memory. */
class LdapRealmTest {
    private static final String PATTERN = "uid={0}," + PEOPLE;
    private static final Ldap.Search MEMBERS = new Ldap.Search(GROUPS, "(member={0})", Switch.ON);
    private static final Ldap.Search USERS = new Ldap.Search(PEOPLE, "(uid={0})", Switch.ON);

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();

    private List<URI> urls = List.of();
    private Switch startTls = Switch.OFF;
    private @Nullable Path trust;
    private Ldap.@Nullable Account account;
    private List<String> patterns = List.of();
    private Ldap.@Nullable Search users;
    private @Nullable String rolesAttribute;
    private Ldap.@Nullable Search groups = MEMBERS;
    private Duration timeout = Duration.ofSeconds(20);
    private Duration remembered = Duration.ofMinutes(1);

    private LdapRealm realm(String... addresses) throws TlsSetupException {
        urls = Stream.of(addresses).map(URI::create).toList();
        return LdapRealm.of(
                new Ldap(
                        urls,
                        startTls,
                        trust,
                        account,
                        patterns,
                        users,
                        rolesAttribute,
                        groups,
                        "cn",
                        timeout,
                        timeout,
                        remembered),
                clock);
    }

    private LdapRealm byPattern(TestDirectory directory) throws TlsSetupException {
        patterns = List.of(PATTERN);
        return realm(directory.url());
    }

    private LdapRealm bySearch(TestDirectory directory) throws TlsSetupException {
        account = new Ldap.Account(SERVER, SERVER_PASSWORD);
        users = USERS;
        return realm(directory.url());
    }

    @Test
    void aUserWithAPatternHasTheRolesOfTheGroups() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            LdapRealm realm = byPattern(directory);
            assertEquals(new Realm.User("ann", Set.of("staff", "admin")), realm.authenticate("ann", "secret"));
            assertEquals(new Realm.User("bob", Set.of("staff")), realm.authenticate("bob", "other"));
            assertNull(realm.authenticate("ann", "other"));
            assertNull(realm.authenticate("nobody", "secret"));
        }
    }

    @Test
    void aUserWhoIsSearchedHasTheRolesOfTheEntryAndOfTheGroups() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            rolesAttribute = "title";
            LdapRealm realm = bySearch(directory);
            assertEquals(new Realm.User("ann", Set.of("staff", "admin", "clerk")), realm.authenticate("ann", "secret"));
            assertNull(realm.authenticate("ann", "other"));
            assertNull(realm.authenticate("nobody", "secret"));
            groups = null;
            assertEquals(
                    new Realm.User("ann", Set.of("clerk")), bySearch(directory).authenticate("ann", "secret"));
        }
    }

    @Test
    void theServersOwnLoginReadsTheGroupsOfAUserWithAPattern() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            account = new Ldap.Account(SERVER, SERVER_PASSWORD);
            rolesAttribute = "title";
            groups = new Ldap.Search(GROUPS, "(&(member={0})(!(cn={1})))", Switch.OFF);
            assertEquals(
                    Set.of("staff", "admin", "clerk"),
                    byPattern(directory).authenticate("ann", "secret").roles());
            assertTrue(directory.requests.contains("bind " + SERVER));
            assertTrue(directory.requests.contains("search (&(member=uid=ann," + PEOPLE + ")(!(cn=ann)))"));
        }
    }

    @Test
    void severalPatternsAreTriedOneAfterTheOther() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            directory.personBelow(TestDirectory.BASE, "eve", "secret");
            patterns = List.of(PATTERN, "uid={0}," + TestDirectory.BASE);
            LdapRealm realm = realm(directory.url());
            assertEquals(Set.of(), realm.authenticate("eve", "secret").roles());
            assertEquals(
                    Set.of("staff", "admin"),
                    realm.authenticate("ann", "secret").roles());
        }
    }

    @Test
    void theDepthOfASearchIsBounded() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            account = new Ldap.Account(SERVER, SERVER_PASSWORD);
            users = new Ldap.Search(TestDirectory.BASE, "(uid={0})", Switch.OFF);
            assertNull(realm(directory.url()).authenticate("ann", "secret"));
            users = new Ldap.Search(TestDirectory.BASE, "(uid={0})", Switch.ON);
            assertEquals(
                    "ann", realm(directory.url()).authenticate("ann", "secret").name());
        }
    }

    @Test
    void anEmptyPasswordNeverReachesTheDirectory() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            assertNull(byPattern(directory).authenticate("ann", ""));
            patterns = List.of();
            assertNull(bySearch(directory).authenticate("ann", ""));
            assertNull(bySearch(directory).authenticate("", "secret"));
            assertEquals(List.of(), directory.requests);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "a*",
                "ann)(uid=*",
                "*)(|(uid=ann",
                "ann\\",
                "\\61nn",
                "ann\0",
                " ann",
                "ann ",
                "ann," + PEOPLE,
                "ann+cn=ann",
                "#616e6e",
                "\"ann\"",
                "{0}",
                "{1}"
            })
    void noOtherNameLogsInAsAnn(String name) throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            assertNull(byPattern(directory).authenticate(name, "secret"));
            patterns = List.of();
            assertNull(bySearch(directory).authenticate(name, "secret"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"o'neil, (jr) *\\ + \"x\"", "#1;<a>=b", "jürgen / müller", "{1}"})
    void aNameWithSpecialCharactersLogsInAndHasItsGroups(String name) throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            directory.group("special", directory.person(name, "pä:ß wörd"));
            Realm.User user = new Realm.User(name, Set.of("special"));
            assertEquals(user, byPattern(directory).authenticate(name, "pä:ß wörd"));
            patterns = List.of();
            assertEquals(user, bySearch(directory).authenticate(name, "pä:ß wörd"));
        }
    }

    @ParameterizedTest
    @CsvSource({"a*b, a\\2ab", "(a), \\28a\\29", "a\\b, a\\5cb", "' a b ', '\\20a b\\20'", "ä, ä"})
    void theValueOfAFilterIsEscaped(String value, String escaped) {
        assertEquals(escaped, LdapDirectory.escaped(value));
        assertEquals("\\00", LdapDirectory.escaped("\0"));
    }

    @Test
    void aWrongPasswordAndAnUnknownUserNeedTheSameRequests() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            LdapRealm realm = bySearch(directory);
            realm.authenticate("ann", "wrong");
            List<String> wrong = kinds(directory);
            directory.requests.clear();
            realm.authenticate("eve", "wrong");
            assertEquals(wrong, kinds(directory));
            assertEquals(List.of("bind", "search", "bind"), wrong);
        }
    }

    private static List<String> kinds(TestDirectory directory) {
        return directory.requests.stream().map(request -> request.split(" ")[0]).toList();
    }

    @Test
    void aCorrectPasswordIsRememberedForItsTime() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            LdapRealm realm = byPattern(directory);
            assertFalse(realm.remembers("ann", "secret"));
            realm.authenticate("ann", "secret");
            assertTrue(realm.remembers("ann", "secret"));
            assertFalse(realm.remembers("ann", "other"));
            change(directory, "other");
            clock.pass(Duration.ofSeconds(59));
            assertEquals("ann", realm.authenticate("ann", "secret").name());
            assertEquals(1, directory.checks());
            clock.pass(Duration.ofSeconds(1));
            assertFalse(realm.remembers("ann", "secret"));
            assertNull(realm.authenticate("ann", "secret"));
            assertEquals(2, directory.checks());
            assertEquals("ann", realm.authenticate("ann", "other").name());
        }
    }

    private static void change(TestDirectory directory, String password) throws Exception {
        directory
                .server()
                .modify(
                        "uid=ann," + PEOPLE,
                        new Modification(ModificationType.REPLACE, "userPassword", password),
                        new Modification(ModificationType.REPLACE, "title", "boss"));
    }

    @Test
    void aNewPasswordIsAcceptedAtOnceAndAWrongOneDoesNotEndTheMemory() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            LdapRealm realm = byPattern(directory);
            realm.authenticate("ann", "secret");
            assertNull(realm.authenticate("ann", "wrong"));
            assertTrue(realm.remembers("ann", "secret"));
            change(directory, "new");
            assertEquals("ann", realm.authenticate("ann", "new").name());
            assertFalse(realm.remembers("ann", "secret"));
        }
    }

    @Test
    void withATimeOfZeroEachLoginAsksTheDirectory() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            remembered = Duration.ZERO;
            LdapRealm realm = byPattern(directory);
            realm.authenticate("ann", "secret");
            assertFalse(realm.remembers("ann", "secret"));
            realm.authenticate("ann", "secret");
            assertEquals(2, directory.checks());
        }
    }

    @Test
    void whileOneThreadAsksAgainTheOthersDoNotWait() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            LdapRealm realm = byPattern(directory);
            realm.authenticate("ann", "secret");
            clock.pass(Duration.ofMinutes(2));
            CountDownLatch barrier = new CountDownLatch(1);
            directory.barrier.set(barrier);
            CompletableFuture<Realm.@Nullable User> asking = CompletableFuture.supplyAsync(() -> {
                try {
                    return realm.authenticate("ann", "secret");
                } catch (NamingException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().untilAsserted(() -> assertEquals(2, directory.checks()));
            assertTrue(realm.remembers("ann", "secret"));
            assertEquals("ann", realm.authenticate("ann", "secret").name());
            assertEquals(2, directory.checks());
            barrier.countDown();
            assertEquals("ann", asking.get().name());
        }
    }

    @Test
    void ifADirectoryIsDownTheNextIsAskedAndEachLoginTriesAgain() throws Exception {
        TestDirectory first = TestDirectory.withAnn();
        remembered = Duration.ZERO;
        patterns = List.of(PATTERN);
        try (TestDirectory second = TestDirectory.withAnn()) {
            LdapRealm realm = realm(first.url(), second.url());
            realm.authenticate("ann", "secret");
            assertEquals(1, first.checks());
            first.server().shutDown(true);
            assertEquals("ann", realm.authenticate("ann", "secret").name());
            assertEquals(1, second.checks());
            second.server().shutDown(true);
            assertThrows(NamingException.class, () -> realm.authenticate("ann", "secret"));
            second.server().startListening();
            assertEquals("ann", realm.authenticate("ann", "secret").name());
        } finally {
            first.close();
        }
    }

    @Test
    void aDirectoryThatDoesNotAnswerIsLeftAfterTheTimeout() throws Exception {
        timeout = Duration.ofMillis(100);
        patterns = List.of(PATTERN);
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
            LdapRealm realm = realm("ldap://127.0.0.1:" + silent.getLocalPort());
            assertThrows(NamingException.class, () -> realm.authenticate("ann", "secret"));
            assertThrows(NamingException.class, () -> realm("ldaps://127.0.0.1:" + silent.getLocalPort())
                    .authenticate("ann", "secret"));
            startTls = Switch.ON;
            assertThrows(NamingException.class, () -> realm("ldap://127.0.0.1:" + silent.getLocalPort())
                    .authenticate("ann", "secret"));
        }
    }

    @Test
    void theContextClassLoaderIsThatOfTheApplicationAgain() throws Exception {
        ClassLoader ofApplication = new ClassLoader(getClass().getClassLoader()) {};
        Thread.currentThread().setContextClassLoader(ofApplication);
        try (TestDirectory directory = TestDirectory.withAnn()) {
            byPattern(directory).authenticate("ann", "secret");
            assertEquals(ofApplication, Thread.currentThread().getContextClassLoader());
        } finally {
            Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
        }
    }

    @Test
    void aWrongPasswordOfTheServerIsAFailureAndNotAWrongLogin() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            users = USERS;
            account = new Ldap.Account(SERVER, "wrong");
            LdapRealm realm = realm(directory.url());
            NamingException failure = assertThrows(NamingException.class, () -> realm.authenticate("ann", "secret"));
            assertEquals("the directory refuses realm-ldap-user", failure.getExplanation());
            assertFalse(failure.toString().contains("wrong"));
        }
    }

    @Test
    void twoEntriesOfOneNameAreAFailure() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            directory.personBelow(GROUPS, "ann", "secret");
            account = new Ldap.Account(SERVER, SERVER_PASSWORD);
            users = new Ldap.Search(TestDirectory.BASE, "(uid={0})", Switch.ON);
            LdapRealm realm = realm(directory.url());
            NamingException failure = assertThrows(NamingException.class, () -> realm.authenticate("ann", "secret"));
            assertEquals("more than one user has that name", failure.getExplanation());
        }
    }

    @Test
    void aUserWithTooManyGroupsIsAFailure() throws Exception {
        try (TestDirectory directory = TestDirectory.withAnn()) {
            for (int i = 0; i < 999; i++) {
                directory.group("group" + i, "uid=ann," + PEOPLE);
            }
            LdapRealm realm = byPattern(directory);
            assertThrows(NamingException.class, () -> realm.authenticate("ann", "secret"));
            assertEquals("bob", realm.authenticate("bob", "other").name());
        }
    }

    @Test
    void overTlsTheDirectoryNeedsACertificateOfTheAuthorityForItsName() throws Exception {
        Issued authority = Issued.authority("authority of the directory");
        trust = Files.writeString(folder.resolve("authority.pem"), authority.pem());
        patterns = List.of(PATTERN);
        try (TestDirectory directory = TestDirectory.withAnn(authority.issue("directory", Issued.EC, "localhost"))) {
            assertEquals(
                    "ann",
                    realm(directory.tlsUrl("localhost"))
                            .authenticate("ann", "secret")
                            .name());
            assertThrows(NamingException.class, () -> realm(directory.tlsUrl("127.0.0.1"))
                    .authenticate("ann", "secret"));
            trust = Files.writeString(
                    folder.resolve("other.pem"), Issued.authority("another").pem());
            assertThrows(NamingException.class, () -> realm(directory.tlsUrl("localhost"))
                    .authenticate("ann", "secret"));
            trust = null;
            assertThrows(NamingException.class, () -> realm(directory.tlsUrl("localhost"))
                    .authenticate("ann", "secret"));
            assertEquals(1, directory.checks());
        }
    }

    @Test
    void startTlsComesBeforeTheLogin() throws Exception {
        Issued authority = Issued.authority("authority of the directory");
        trust = Files.writeString(folder.resolve("authority.pem"), authority.pem());
        account = new Ldap.Account(SERVER, SERVER_PASSWORD);
        users = USERS;
        startTls = Switch.ON;
        try (TestDirectory directory = TestDirectory.withAnn(authority.issue("directory", Issued.EC, "localhost"))) {
            String url = directory.url().replace("127.0.0.1", "localhost");
            LdapRealm realm = realm(url);
            assertEquals(
                    Set.of("staff", "admin"),
                    realm.authenticate("ann", "secret").roles());
            assertNull(realm.authenticate("ann", "wrong"));
            directory.requests.clear();
            trust = Files.writeString(
                    folder.resolve("other.pem"), Issued.authority("another").pem());
            assertThrows(NamingException.class, () -> realm(url).authenticate("ann", "secret"));
            assertThrows(NamingException.class, () -> realm(directory.url()).authenticate("ann", "secret"));
            assertEquals(List.of(), directory.requests);
        }
        try (TestDirectory directory = TestDirectory.withAnn()) {
            // This directory does not know StartTLS.
            assertThrows(NamingException.class, () -> realm(directory.url()).authenticate("ann", "secret"));
            assertEquals(List.of(), directory.requests);
        }
    }

    @Test
    void aFileWithoutAnAuthorityIsRefused() throws Exception {
        patterns = List.of(PATTERN);
        trust = folder.resolve("missing.pem");
        assertEquals(
                trust + ": no such file",
                assertThrows(TlsSetupException.class, () -> realm("ldaps://localhost"))
                        .getMessage());
    }
}
