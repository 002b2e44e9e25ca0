package io.penstock.injection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.environment.EnvironmentException;
import io.penstock.environment.Reference;
import io.penstock.injection.InjectionRules.Callback;
import io.penstock.injection.InjectionRules.Phase;
import io.penstock.injection.InjectionRules.Target;
import io.penstock.injection.application.Base;
import io.penstock.injection.application.Declaring;
import io.penstock.injection.application.Derived;
import io.penstock.injection.application.Failing;
import io.penstock.injection.application.Overriding;
import io.penstock.injection.application.Plain;
import io.penstock.injection.application.Wrong;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the injection of resources and the lifecycle methods of objects (Servlet 6.1, section 15.5; Jakarta Annotations 2.3 to 2.6). */
class InjectionTest {
    private final Names names =
            new Names().with("greeting", "hello").with("number", 3).with("java:global/shared", "all");
    private final InjectingFactory objects = new InjectingFactory(names, InjectionRules.NONE);

    private String failure(Class<?> type) {
        return assertThrows(InjectionException.class, () -> objects.create(type))
                .getMessage();
    }

    @Test
    void theSuperclassIsInjectedFirstAndItsPostConstructMethodIsCalledFirst() throws Exception {
        Derived made = objects.create(Derived.class);
        assertEquals("hello", made.greeting());
        assertEquals("all", made.shared);
        assertEquals(List.of("number", "base begins with hello 3", "derived begins"), made.calls);
    }

    @Test
    void preDestroyMethodsAreCalledOnceAndFromSubclassToSuperclass() throws Exception {
        Derived made = objects.create(Derived.class);
        made.calls.clear();
        objects.release(made);
        objects.release(made);
        assertEquals(List.of("derived ends", "base ends"), made.calls);
    }

    @Test
    void annotationsOfAnOverriddenMethodAreIgnored() throws Exception {
        Overriding made = objects.create(Overriding.class);
        objects.release(made);
        assertEquals(List.of("number", "base begins with hello 3", "overriding ends", "base ends"), made.calls);
    }

    @Test
    void aFieldKeepsItsInitialValueIfNoResourceIsBound() throws Exception {
        assertEquals(7, objects.create(Derived.class).limit);
    }

    @Test
    void theDefaultNameOfAResourceConsistsOfClassNameAndFieldName() throws Exception {
        names.with(Derived.class.getName() + "/limit", 9);
        assertEquals(9, objects.create(Derived.class).limit);
    }

    @Test
    void theMessageForAMissingResourceContainsTheFieldAndTheResource() {
        String name = Declaring.class.getName();
        assertEquals(
                name + ".orders: nothing is bound to the resource '" + name + "/orders' (javax.sql.DataSource)",
                failure(Declaring.class));
    }

    @Test
    void theMessageForAMissingLookupTargetContainsTheResourceAndTheTarget() {
        names.bound.remove("java:global/shared");
        assertEquals(
                Derived.class.getName() + ".shared: nothing is bound to the resource '" + Derived.class.getName()
                        + "/shared' (java.lang.Object), which looks up 'java:global/shared'",
                failure(Derived.class));
    }

    @Test
    void theMessageForAResourceOfAWrongTypeContainsTheActualAndTheExpectedType() {
        names.with(Declaring.class.getName() + "/orders", "no source");
        assertTrue(failure(Declaring.class).endsWith("is a java.lang.String, not a javax.sql.DataSource"));
    }

    @Test
    void theMessageForAFailedLookupContainsTheReason() {
        names.with(Declaring.class.getName() + "/orders", new EnvironmentException("the driver is missing"));
        assertTrue(failure(Declaring.class).endsWith("cannot be made: the driver is missing"));
    }

    @Test
    void annotationsOfAClassDeclareResources() throws Exception {
        objects.prepare(Declaring.class);
        assertEquals(
                DataSource.class.getName(),
                names.declared.get("java:comp/env/jdbc/one").type());
        assertEquals(
                "java:global/two", names.declared.get("java:comp/env/jdbc/two").lookup());
        assertNull(names.declared.get("java:comp/env/three").lookup());
    }

    @Test
    void anExceptionInAPostConstructMethodIsReported() {
        Failing.failsInPostConstruct = true;
        assertEquals(
                Failing.class.getName() + ".begin failed: java.lang.IllegalStateException: no way to begin",
                failure(Failing.class));
    }

    @Test
    void anExceptionInAPreDestroyMethodIsNotThrownToTheCaller() throws Exception {
        Failing.failsInPostConstruct = false;
        objects.release(objects.create(Failing.class));
    }

    @Test
    void anObjectThatTheApplicationHasCreatedIsNotInjected() throws Exception {
        Derived createdByApplication = new Derived();
        objects.adopt(createdByApplication);
        objects.create(Derived.class);
        objects.release(createdByApplication);
        assertNull(createdByApplication.greeting());
        assertEquals(List.of(), createdByApplication.calls);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Wrong.StaticField.class,
                Wrong.FinalField.class,
                Wrong.NoSetter.class,
                Wrong.TwoParameters.class,
                Wrong.NamelessClass.Nameless.class,
                Wrong.TwoPostConstructs.class,
                Wrong.PostConstructWithParameter.class,
                Wrong.StaticPostConstruct.class
            })
    void aMisplacedAnnotationIsReportedBeforeAnObjectIsCreated(Class<?> type) {
        String message = assertThrows(InjectionException.class, () -> objects.prepare(type))
                .getMessage();
        assertTrue(message.startsWith(type.getName()), message);
    }

    private static Target target(String member, String name) {
        return new Target(Plain.class.getName(), member, new Reference(name, null, null, "WEB-INF/web.xml:7"));
    }

    @Test
    void aDescriptorCanConfigureInjectionAndLifecycleMethods() throws Exception {
        InjectingFactory described = new InjectingFactory(
                names,
                new InjectionRules(
                        List.of(target("word", "greeting"), target("upper", "greeting")),
                        List.of(
                                new Callback(Phase.POST_CONSTRUCT, Plain.class.getName(), "begin", "web.xml:8"),
                                new Callback(Phase.PRE_DESTROY, Plain.class.getName(), "end", "web.xml:9")),
                        location -> false,
                        Map.of()));
        Plain made = described.create(Plain.class);
        described.release(made);
        assertEquals("hello", made.word);
        assertEquals("HELLO", made.upper);
        assertEquals(1, made.begun);
        assertEquals(1, made.ended);
    }

    @Test
    void theMessageForAMissingInjectionTargetContainsTheLineOfTheDescriptor() {
        InjectingFactory described = new InjectingFactory(
                names,
                new InjectionRules(List.of(target("nowhere", "greeting")), List.of(), location -> true, Map.of()));
        assertEquals(
                "WEB-INF/web.xml:7: the injection target " + Plain.class.getName()
                        + " has no setter and no field 'nowhere'",
                assertThrows(InjectionException.class, () -> described.create(Plain.class))
                        .getMessage());
    }

    @Test
    void aDescriptorOverridesAnnotations() throws Exception {
        Target other = new Target(
                Derived.class.getName(), "shared", new Reference("greeting", null, null, "WEB-INF/web.xml:7"));
        Callback callback = new Callback(Phase.POST_CONSTRUCT, Derived.class.getName(), "endToo", "web.xml:8");
        InjectingFactory described = new InjectingFactory(
                names, new InjectionRules(List.of(other), List.of(callback), location -> true, Map.of()));
        Derived made = described.create(Derived.class);
        assertEquals("hello", made.shared);
        assertEquals("derived ends", made.calls.get(made.calls.size() - 1));
        assertFalse(made.calls.contains("derived begins"));
    }

    @Test
    void nothingIsInjectedIfAnnotationsAreIgnored() throws Exception {
        InjectingFactory described =
                new InjectingFactory(names, new InjectionRules(List.of(), List.of(), location -> false, Map.of()));
        Derived made = described.create(Derived.class);
        assertNull(made.greeting());
        assertEquals(List.of(), made.calls);
    }

    @Test
    void annotationsApplyEvenIfTheApplicationCannotLoadTheAnnotationClasses() throws Exception {
        Class<?> withoutAnnotations = new WithoutAnnotations().loadClass(Base.class.getName());
        assertEquals(
                0,
                withoutAnnotations.getDeclaredField("greeting").getAnnotations().length,
                "the number of annotations that reflection finds");
        Object made = objects.create(withoutAnnotations);
        assertEquals("hello", withoutAnnotations.getMethod("greeting").invoke(made));
    }

    /** The class loader of an application without the annotation classes. It cannot load these classes. */
    private static final class WithoutAnnotations extends ClassLoader {
        WithoutAnnotations() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null || name.startsWith("jakarta.annotation.")) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        @Override
        public InputStream getResourceAsStream(String name) {
            return InjectionTest.class.getClassLoader().getResourceAsStream(name);
        }
    }
}
