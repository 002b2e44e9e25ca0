package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.deploy.application.GreetingServlet;
import io.penstock.deploy.application.InjectedServlet;
import io.penstock.deploy.application.Marked;
import io.penstock.deploy.application.MarkedBase;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.servlet.Servlet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Servlet 8.2.4: a {@code ServletContainerInitializer} gets the classes that match its {@code @HandlesTypes} annotation. */
class TypeIndexTest {
    private final TypeIndex index = new TypeIndex(
            Stream.of(InjectedServlet.class, GreetingServlet.class, MarkedBase.class, MarkedBase.Heir.class)
                    .map(type -> ClassFacts.read(Packing.classFile(type)))
                    .toList());

    private Set<Class<?>> matching(Class<?>... types) {
        return index.matching(types, TypeIndexTest.class.getClassLoader());
    }

    @Test
    void aClassMatchesItsIndirectSuperTypes() {
        assertEquals(Set.of(InjectedServlet.class, GreetingServlet.class), matching(Servlet.class));
    }

    @Test
    void aClassMatchesAnnotationsOfItsFieldsAndMethods() {
        assertEquals(Set.of(InjectedServlet.class), matching(Resource.class));
        assertEquals(Set.of(InjectedServlet.class), matching(PostConstruct.class));
    }

    @Test
    void aSubclassMatchesAnInheritedAnnotation() {
        assertEquals(Set.of(MarkedBase.class, MarkedBase.Heir.class), matching(Marked.class));
    }

    @Test
    void aHandledTypeDoesNotMatchItself() {
        assertEquals(Set.of(MarkedBase.Heir.class), matching(MarkedBase.class));
        assertEquals(List.of(), List.copyOf(matching(Runnable.class)));
    }

    @Test
    void aClassMatchesSuperTypesThatItInheritsFromJdkClasses() {
        TypeIndex shelves = new TypeIndex(List.of(ClassFacts.read(Packing.classFile(Shelf.class))));
        ClassLoader loader = TypeIndexTest.class.getClassLoader();

        assertEquals(Set.of(), shelves.matching(new Class<?>[] {Servlet.class}, loader));
        assertEquals(Set.of(Shelf.class), shelves.matching(new Class<?>[] {Servlet.class, Iterable.class}, loader));
    }

    /** A class that implements {@code Iterable} only through its superclass in the JDK. */
    private static final class Shelf extends ArrayList<String> {
        private static final long serialVersionUID = 1L;
    }
}
