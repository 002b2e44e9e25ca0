package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.DispatcherFactory;
import io.penstock.deploy.application.PlainServlet;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.HelpPage;
import io.penstock.limits.Origin;
import io.penstock.part.ContainerPart;
import io.penstock.part.JavaxMigration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * The server refuses an application that uses {@code javax.servlet}. If the setting {@code migrate-javax} is on, the server converts the
 * application to {@code jakarta.servlet} instead.
 */
class FormerApiTest {
    private static final String CLASSES = "WEB-INF/classes/";
    private static final String JAVAX_SERVICE_FILE = "META-INF/services/javax.servlet.ServletContainerInitializer";
    private static final String HOW_TO_CONVERT =
            ", and this server has jakarta.servlet: start it with --migrate-javax, or convert the archive"
                    + HelpPage.JAVAX.more();

    @TempDir
    Path folder;

    private Path war;
    private Path migrated;
    private int conversions;

    @BeforeEach
    void setPaths() {
        war = folder.resolve("shop.war");
        migrated = folder.resolve("migrated");
    }

    /** A converter for tests. The result of each conversion contains only {@link PlainServlet}, which uses {@code jakarta.servlet}. */
    private final class TestConverter implements ContainerPart, JavaxMigration {
        @Override
        public Optional<JavaxMigration> migration() {
            return Optional.of(this);
        }

        @Override
        public String version() {
            return "test-1";
        }

        @Override
        public void convert(Path archive, Path converted) throws IOException {
            conversions++;
            Files.write(
                    converted,
                    Packing.empty().withClasses(CLASSES, PlainServlet.class).archive());
        }
    }

    private Deployer deployer(String... settings) {
        return deployer(new Parts(List.of(new TestConverter())), settings);
    }

    private Deployer deployer(Parts parts, String... settings) {
        ConfigurationSources sources = new ConfigurationSources();
        sources.flag("migrated-dir", migrated.toString(), new Origin.Code());
        for (int i = 0; i < settings.length; i += 2) {
            sources.flag(settings[i], settings[i + 1], new Origin.Code());
        }
        return new Deployer(DeploymentServices.of(DispatcherFactory.NONE, sources.resolve()::application), parts);
    }

    /** Makes a class file. If {@code annotation} is not empty, the class has this annotation of {@code javax.servlet}. */
    private static byte[] type(String name, String superName, String annotation, String... interfaces) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, superName, interfaces);
        if (!annotation.isEmpty()) {
            writer.visitAnnotation("Ljavax/servlet/annotation/" + annotation + ";", true)
                    .visitEnd();
        }
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static byte[] javaxServlet(String name, String annotation) {
        return type(name, "javax/servlet/http/HttpServlet", annotation);
    }

    private void assertRefused(String use, Packing packing, String... settings) throws Exception {
        Path archive = packing.archive(war);
        assertEquals(
                war + ": " + use + HOW_TO_CONVERT,
                assertThrows(DeploymentException.class, () -> deployer(settings).deploy("/shop", archive))
                        .getMessage());
    }

    private void assertDeployed(Packing packing, String... settings) throws Exception {
        deployer(settings).deploy("/shop", packing.archive(war)).stop();
        assertEquals(0, conversions);
    }

    @Test
    void anApplicationWithAnAnnotatedJavaxServletClassIsRefused() throws Exception {
        assertRefused(
                "WEB-INF/classes: old.Hello is a javax.servlet.http.HttpServlet",
                Packing.empty().with(CLASSES + "old/Hello.class", javaxServlet("old/Hello", "WebServlet")));
        assertRefused(
                "WEB-INF/classes: old.Ear is a javax.servlet.ServletContextListener",
                Packing.empty()
                        .with(
                                CLASSES + "old/Ear.class",
                                type(
                                        "old/Ear",
                                        "java/lang/Object",
                                        "WebListener",
                                        "javax/servlet/ServletContextListener")));
    }

    @Test
    void aJavaxServletSuperclassIsDetectedInALibrary() throws Exception {
        byte[] library = Packing.empty()
                .with("lib/Base.class", javaxServlet("lib/Base", ""))
                .archive();
        Packing packing = Packing.empty()
                .with("WEB-INF/web.xml", """
                        <web-app version='3.1' metadata-complete='true'>
                          <servlet><servlet-name>a</servlet-name><servlet-class>old.Front</servlet-class></servlet>
                        </web-app>
                        """)
                .with(CLASSES + "old/Front.class", type("old/Front", "lib/Base", ""))
                .with("WEB-INF/lib/lib.jar", library);
        assertRefused("WEB-INF/web.xml:2: old.Front is a javax.servlet.http.HttpServlet", packing);
    }

    private static byte[] libraryWithInitializer() {
        return Packing.empty()
                .with(JAVAX_SERVICE_FILE, "lib.Init")
                .with(
                        "lib/Init.class",
                        type("lib/Init", "java/lang/Object", "", "javax/servlet/ServletContainerInitializer"))
                .archive();
    }

    @Test
    void aJavaxServletInitializerIsRefusedIfTheApplicationUsesNoJakartaServletClass() throws Exception {
        Packing packing = Packing.empty().with("WEB-INF/lib/lib.jar", libraryWithInitializer());
        assertRefused(
                "WEB-INF/lib/lib.jar!/" + JAVAX_SERVICE_FILE
                        + ": lib.Init is a javax.servlet.ServletContainerInitializer",
                packing);
        assertDeployed(packing, "exclude-initializers", "lib.*");
    }

    @Test
    void unusedJavaxServletClassesAreAllowedIfTheApplicationUsesJakartaServletClasses() throws Exception {
        byte[] library = Packing.empty()
                .with("lib/Unused.class", javaxServlet("lib/Unused", ""))
                .with("lib/Annotated.class", javaxServlet("lib/Annotated", "WebServlet"))
                .archive();
        Packing packing = Packing.empty()
                .with(
                        "WEB-INF/web.xml",
                        "<web-app xmlns='http://xmlns.jcp.org/xml/ns/javaee' version='3.1'><display-name>x</display-name></web-app>")
                .withClasses(CLASSES, PlainServlet.class)
                .with(CLASSES + "old/Unused.class", javaxServlet("old/Unused", ""))
                .with("WEB-INF/lib/lib.jar", library)
                .with("WEB-INF/lib/lib2.jar", libraryWithInitializer());
        assertDeployed(packing);
        assertDeployed(packing, "migrate-javax", "on");
    }

    private static Packing javaxApplication() {
        return Packing.empty().with(CLASSES + "old/Hello.class", javaxServlet("old/Hello", "WebServlet"));
    }

    @Test
    void anArchiveIsConvertedAgainOnlyAfterItsContentHasChanged() throws Exception {
        Path archive = javaxApplication().archive(war);
        for (int i = 0; i < 2; i++) {
            WebApplication application = deployer("/shop:migrate-javax", "on").deploy("/shop", archive);
            assertNotNull(application.context().getServletRegistration(PlainServlet.class.getName()));
            application.stop();
        }
        assertEquals(1, conversions);
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(migrated)));
        try (Stream<Path> kept = Files.list(migrated)) {
            List<String> names = kept.map(file -> file.getFileName().toString()).toList();
            assertEquals(1, names.size(), names::toString);
            assertTrue(names.get(0).matches("[0-9a-f]{64}-test-1\\.war"), names::toString);
        }
        javaxApplication().with("more", "x").archive(war);
        deployer("migrate-javax", "on").deploy("/shop", archive).stop();
        assertEquals(2, conversions);
    }

    @Test
    void aSettingOfASingleApplicationCanDisableTheConversion() throws Exception {
        assertRefused(
                "WEB-INF/classes: old.Hello is a javax.servlet.http.HttpServlet",
                javaxApplication(),
                "migrate-javax",
                "on",
                "/shop:migrate-javax",
                "off");
    }

    @Test
    void theFolderForConvertedArchivesIsRefusedIfOtherUsersCanWriteToTheFolder() throws Exception {
        Files.createDirectory(migrated);
        Files.setPosixFilePermissions(migrated, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path archive = javaxApplication().archive(war);
        assertEquals(
                war + ": migrated-dir: others can write to " + migrated + ", and code from there would run here",
                assertThrows(DeploymentException.class, () -> deployer("migrate-javax", "on")
                                .deploy("/shop", archive))
                        .getMessage());
    }

    @Test
    void anUnpackedApplicationIsNotConverted() throws Exception {
        Path unpacked = javaxApplication().folder(folder.resolve("shop"));
        assertEquals(
                unpacked
                        + ": WEB-INF/classes: old.Hello is a javax.servlet.http.HttpServlet, and --migrate-javax converts"
                        + " WAR files only, not folders",
                assertThrows(DeploymentException.class, () -> deployer("migrate-javax", "on")
                                .deploy("/shop", unpacked))
                        .getMessage());
    }

    @Test
    void theMissingJarIsReportedIfTheServerHasNoConverter() throws Exception {
        Path archive = javaxApplication().archive(war);
        String message = assertThrows(DeploymentException.class, () -> deployer(Parts.NONE, "migrate-javax", "on")
                        .deploy("/shop", archive))
                .getMessage();
        assertTrue(
                message.endsWith("put penstock-javaee-migration.jar beside penstock.jar, or on the class path"),
                message);
    }
}
