package io.penstock.naming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.environment.Declarations;
import io.penstock.environment.Environment;
import io.penstock.environment.EnvironmentException;
import io.penstock.environment.Reference;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.List;
import java.util.TreeSet;
import javax.naming.CommunicationException;
import javax.naming.Context;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.OperationNotSupportedException;
import javax.naming.directory.DirContext;
import javax.naming.spi.InitialContextFactory;
import javax.naming.spi.InitialContextFactoryBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the objects that an application finds by their JNDI names. */
@SuppressWarnings("BanJNDI") // This class must use JNDI.
class NamesTest {
    private final Naming naming = Naming.create().bind("mail/host", "post.example");
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final ClassLoader application = new ClassLoader(before) {};
    private final List<Environment> open = new ArrayList<>();

    private static Declarations declarations(
            String name, ClassLoader loader, List<Declarations.Entry> entries, List<Reference> references) {
        return new Declarations(name, "/" + name, name, loader, entries, references, List.of());
    }

    private static Declarations.Entry entry(String name, Object value) {
        return new Declarations.Entry(name, value, "WEB-INF/web.xml:1");
    }

    private static Reference reference(String name, String lookup) {
        return new Reference(name, "java.lang.String", lookup, "WEB-INF/web.xml:2");
    }

    private Environment open(Declarations declarations) throws EnvironmentException {
        Environment environment = naming.open(declarations);
        open.add(environment);
        return environment;
    }

    private static Context initial() throws NamingException {
        return Naming.initialContexts(null)
                .createInitialContextFactory(new Hashtable<>())
                .getInitialContext(new Hashtable<>());
    }

    @BeforeEach
    void useClassLoaderOfTheApplication() {
        Thread.currentThread().setContextClassLoader(application);
    }

    @AfterEach
    void restoreClassLoaderAndCloseEnvironments() {
        Thread.currentThread().setContextClassLoader(before);
        open.forEach(Environment::close);
    }

    private void openShop() throws EnvironmentException {
        open(declarations(
                "shop",
                application,
                List.of(entry("word", "hello"), entry("limits/max", 9), entry("java:app/env/colour", "red")),
                List.of(
                        reference("alias", "java:comp/env/word"),
                        reference("again", "java:comp/env/alias"),
                        reference("mail/host", null),
                        reference("mapped", "mail/host"),
                        reference("nowhere", null),
                        reference("circle", "java:comp/env/circle"))));
    }

    @Test
    void namesBelowJavaCompAreFound() throws Exception {
        openShop();
        assertEquals("hello", initial().lookup("java:comp/env/word"));
        assertEquals(9, initial().lookup("java:comp/env/limits/max"));
        assertEquals("hello", ((Context) initial().lookup("java:comp/env")).lookup("word"));
        assertEquals(9, ((Context) ((Context) initial().lookup("java:comp")).lookup("env/limits")).lookup("max"));
        assertEquals("hello", initial().lookup("java:/comp/env/word"), "a lookup with a slash after java:");
    }

    @Test
    void namesBelowJavaModuleAndJavaAppAreFound() throws Exception {
        openShop();
        assertEquals("hello", initial().lookup("java:module/env/word"));
        assertEquals("shop", initial().lookup("java:module/ModuleName"));
        assertEquals("shop", initial().lookup("java:app/AppName"));
        assertEquals("red", initial().lookup("java:app/env/colour"));
        assertEquals(false, initial().lookup("java:comp/InAppClientContainer"));
    }

    @Test
    void aReferenceResolvesToItsTarget() throws Exception {
        openShop();
        assertEquals("hello", initial().lookup("java:comp/env/alias"));
        assertEquals("hello", initial().lookup("java:comp/env/again"));
        assertEquals("post.example", initial().lookup("java:comp/env/mail/host"));
        assertEquals("post.example", initial().lookup("java:comp/env/mapped"));
        assertEquals("post.example", initial().lookup("java:global/mail/host"));
        assertEquals("post.example", initial().lookup("mail/host"));
    }

    @Test
    void aMissingNameIsNotFound() throws Exception {
        openShop();
        for (String name :
                List.of("java:comp/env/nowhere", "java:comp/env/circle", "java:comp/env/wor", "java:global/x")) {
            assertThrows(NameNotFoundException.class, () -> initial().lookup(name), name);
        }
    }

    @Test
    void aContextCanListItsNames() throws Exception {
        openShop();
        TreeSet<String> names = new TreeSet<>();
        for (NameClassPair pair : Collections.list(initial().list("java:comp/env"))) {
            names.add(pair.getName() + " " + pair.getClassName().replaceAll(".*\\.", ""));
        }
        assertEquals(
                new TreeSet<>(List.of(
                        "again String",
                        "alias String",
                        "limits Context",
                        "mail Context",
                        "mapped String",
                        "word String")),
                names);
        assertEquals(
                "hello",
                Collections.list(initial().listBindings("java:comp/env")).stream()
                        .filter(binding -> binding.getName().equals("word"))
                        .findFirst()
                        .orElseThrow()
                        .getObject());
    }

    @Test
    void anApplicationCannotChangeItsNames() throws Exception {
        openShop();
        assertThrows(OperationNotSupportedException.class, () -> initial().bind("java:comp/env/x", 1));
        assertThrows(OperationNotSupportedException.class, () -> initial().unbind("java:comp/env/word"));
        assertThrows(OperationNotSupportedException.class, () -> initial().createSubcontext("java:comp/env/y"));
    }

    @Test
    void theContextClassLoaderOfAThreadSelectsTheApplication() throws Exception {
        openShop();
        ClassLoader other = new ClassLoader(before) {};
        open(declarations("blog", other, List.of(entry("word", "bye")), List.of()));
        Context kept = initial();
        assertEquals("hello", kept.lookup("java:comp/env/word"));
        // The parent of this class loader is the class loader of the second application.
        Thread.currentThread().setContextClassLoader(new ClassLoader(other) {});
        assertEquals("bye", kept.lookup("java:comp/env/word"));
    }

    @Test
    void aGlobalEntryIsFoundWhileItsApplicationRuns() throws Exception {
        Environment shop =
                open(declarations("shop", application, List.of(entry("java:global/colour", "red")), List.of()));
        ClassLoader other = new ClassLoader(before) {};
        open(declarations("blog", other, List.of(), List.of()));
        Thread.currentThread().setContextClassLoader(other);
        assertEquals("red", initial().lookup("java:global/colour"));
        shop.close();
        assertThrows(NameNotFoundException.class, () -> initial().lookup("java:global/colour"));
    }

    @Test
    void theErrorForADuplicateNameContainsTheName() throws Exception {
        open(declarations("shop", application, List.of(entry("java:global/colour", "red")), List.of()));
        assertEquals(
                "WEB-INF/web.xml:1: the name 'java:global/colour' is bound already",
                assertThrows(
                                EnvironmentException.class,
                                () -> open(declarations(
                                        "blog",
                                        new ClassLoader(before) {},
                                        List.of(entry("java:global/colour", "blue")),
                                        List.of())))
                        .getMessage());
    }

    @Test
    void anAnnotationCanAddANewNameAndCannotReplaceAnExistingName() throws Exception {
        Environment names = open(declarations("shop", application, List.of(entry("word", "hello")), List.of()));
        names.declare(reference("word", "java:global/mail/host"));
        names.declare(reference("other", "java:comp/env/word"));
        assertEquals("hello", names.find("word"));
        assertEquals("hello", names.find("java:comp/env/other"));
        assertNull(names.find("third"));
    }

    /**
     * By mistake, an application might look up a name that a client has sent, for example through a logging library. Then the server must
     * not connect to the address in the name.
     */
    @Test
    void aNameWithARemoteAddressIsRefused() throws Exception {
        openShop();
        try (ServerSocket elsewhere = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            elsewhere.setSoTimeout(200);
            for (String scheme : new String[] {"ldap", "ldaps", "rmi", "dns", "iiop", "corbaname", "LDAP"}) {
                String name = scheme + "://127.0.0.1:" + elsewhere.getLocalPort() + "/x";
                NamingException refused =
                        assertThrows(NamingException.class, () -> initial().lookup(name));
                assertEquals("names of the scheme '" + scheme + "' are not looked up", refused.getMessage());
            }
            assertThrows(SocketTimeoutException.class, elsewhere::accept);
        }
    }

    @Test
    void aLookupFailsOnAThreadOutsideAnApplication() throws Exception {
        openShop();
        Thread.currentThread().setContextClassLoader(before);
        assertThrows(NoInitialContextException.class, () -> initial().lookup("java:comp/env/word"));
    }

    @Test
    void aLookupFailsIfTwoApplicationsHaveTheSameClassLoader() throws Exception {
        openShop();
        Environment second = open(declarations("blog", application, List.of(), List.of()));
        assertEquals(
                NamingException.class,
                assertThrows(NamingException.class, () -> initial().lookup("java:comp/env/word"))
                        .getClass());
        second.close();
        assertEquals("hello", initial().lookup("java:comp/env/word"));
    }

    /** A factory that is not part of Penstock, such as the factory of a test framework. */
    public static final class Foreign implements InitialContextFactory {
        static final Context CONTEXT = new InitialNames(null);

        @Override
        public Context getInitialContext(Hashtable<?, ?> environment) {
            return CONTEXT;
        }
    }

    @Test
    void theContextFactoryInTheJndiEnvironmentIsUsed() throws Exception {
        openShop();
        Hashtable<String, Object> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, Foreign.class.getName());
        InitialContextFactory factory = Naming.initialContexts(null).createInitialContextFactory(environment);
        assertSame(Foreign.CONTEXT, factory.getInitialContext(environment));
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "no.such.Factory");
        assertThrows(NoInitialContextException.class, () -> Naming.initialContexts(null)
                .createInitialContextFactory(environment));
    }

    @Test
    void aFactoryOfTheJdkConnectsToADirectoryOrADnsServer() throws Exception {
        openShop();
        Hashtable<String, Object> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
        environment.put(Context.PROVIDER_URL, "ldap://127.0.0.1:1 ldap://127.0.0.1:2");
        InitialContextFactory directory = Naming.initialContexts(null).createInitialContextFactory(environment);
        CommunicationException unreachable =
                assertThrows(CommunicationException.class, () -> directory.getInitialContext(environment));
        assertEquals("127.0.0.1:2", unreachable.getExplanation());
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        environment.put(Context.PROVIDER_URL, "dns://127.0.0.1");
        Context dns = Naming.initialContexts(null)
                .createInitialContextFactory(environment)
                .getInitialContext(environment);
        assertInstanceOf(DirContext.class, dns);
    }

    @Test
    void aJndiBuilderOfTheProgramIsUsedOnThreadsOutsideAnApplication() throws Exception {
        openShop();
        InitialContextFactoryBuilder both = Naming.initialContexts(environment -> new Foreign());
        assertEquals(
                "hello",
                both.createInitialContextFactory(new Hashtable<>())
                        .getInitialContext(new Hashtable<>())
                        .lookup("java:comp/env/word"));
        Thread.currentThread().setContextClassLoader(before);
        assertSame(
                Foreign.CONTEXT,
                both.createInitialContextFactory(new Hashtable<>()).getInitialContext(new Hashtable<>()));
    }
}
