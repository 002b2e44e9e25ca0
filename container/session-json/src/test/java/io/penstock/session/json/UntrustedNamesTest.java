package io.penstock.session.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.part.AttributeFormat;
import io.penstock.session.Formats;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests JSON with names of classes that are not trusted. No code of such a class may run, not even its static initialiser. */
class UntrustedNamesTest {
    private static final String RUN = "io.penstock.session.json.trap";

    /** A class of the server that applications can load. Its initialisation sets a system property. */
    static final class Trap {
        static {
            System.setProperty(RUN, "yes");
        }

        private int field;
    }

    /** A class of the application, which has classes as values and as map keys. */
    static final class Kinds {
        private Class<?> kind = Object.class;
        private Map<Class<?>, Integer> counts = Map.of();
    }

    /** The class loader of the application in an archive. It has {@link Kinds}, and gets all other classes of this test from the server. */
    private static final class ApplicationLoader extends ClassLoader {
        private static final String OWN = "io.penstock.session.json.UntrustedNamesTest$Kinds";

        ApplicationLoader() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            ClassLoader server = UntrustedNamesTest.class.getClassLoader();
            if (!name.equals(OWN)) {
                return name.startsWith("io.penstock.") ? server.loadClass(name) : super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            try (InputStream in = server.getResourceAsStream(OWN.replace('.', '/') + ".class")) {
                byte[] code = in.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private final AttributeFormat format =
            Formats.of(new SessionJson().attributeFormats().get(0), new ApplicationLoader());

    private Object read(String json) throws IOException, ClassNotFoundException {
        return format.read(json.replace("KINDS", Kinds.class.getName())
                .replace("TRAP", Trap.class.getName())
                .getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "['TRAP',{'field':1}]",
                "['java.util.ArrayList<TRAP>',[]]",
                "['java.util.ArrayList<TRAP>',[['TRAP',{}]]]",
                "['java.util.ArrayList<java.util.ArrayList<TRAP>>',[]]",
                "['java.util.ArrayList< TRAP >',[]]",
                "['java.util.ArrayList<[LTRAP;>',[]]",
                "['java.util.HashMap<java.lang.String,TRAP>',{}]",
                "['java.util.HashMap<TRAP,java.lang.String>',{'a':'b'}]",
                "['java.util.EnumMap<TRAP,java.lang.Object>',{}]",
                "['java.util.EnumSet<TRAP>',[]]",
                "['java.util.concurrent.atomic.AtomicReference<TRAP>',null]",
                "['java.util.ArrayList<java.lang.String,TRAP>',[]]",
                "['java.util.ArrayList<java.lang.String>TRAP',[]]",
                "['java.util.ArrayList<TRAP',[]]",
                "['[LTRAP;',[]]",
                "['[[LTRAP;',[]]",
                "['[LTRAP;',[['TRAP',{}]]]",
                "['TRAP[]',[]]",
                "['LTRAP;',{}]",
                "['TRAP;',{}]",
                "['TRAP<java.lang.String>',{}]",
                "['java.util.ArrayList',[['TRAP',{}]]]",
                "['java.util.HashMap',{'a':['java.util.ArrayList<TRAP>',[]]}]",
                "['KINDS',{'kind':'TRAP'}]",
                "['KINDS',{'kind':'[LTRAP;'}]",
                "['KINDS',{'kind':'java.lang.Runtime'}]",
                "['KINDS',{'counts':['java.util.HashMap',{'TRAP':1}]}]",
                "['KINDS',{'counts':['java.util.HashMap<java.lang.Class<TRAP>,java.lang.Integer>',{}]}]",
                "['KINDS<TRAP>',{}]"
            })
    void noCodeRunsOfAClassThatIsNotTrusted(String json) {
        assertThrows(IOException.class, () -> read(json.replace('\'', '"')));
        assertEquals(null, System.getProperty(RUN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.lang.String", "int", "[Ljava.lang.String;", "[I", "KINDS"})
    void namesOfTrustedClassesAreRead(String name) throws Exception {
        Object read = read("[\"KINDS\",{\"kind\":\"" + name + "\"}]");
        String written = new String(format.write(read), StandardCharsets.UTF_8);
        String expected = name.replace("KINDS", Kinds.class.getName());
        assertTrue(written.contains("\"kind\":\"" + expected + "\""), written);
    }

    @Test
    void theApplicationCanLoadTheClassOfTheseTests() throws Exception {
        assertEquals(Trap.class, new ApplicationLoader().loadClass(Trap.class.getName()));
        assertFalse(Kinds.class.equals(new ApplicationLoader().loadClass(Kinds.class.getName())));
        assertEquals(new ArrayList<>(), read("[\"java.util.ArrayList<java.lang.String>\",[]]"));
    }
}
