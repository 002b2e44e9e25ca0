package io.penstock.injection;

import io.penstock.environment.Reference;
import java.net.URL;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What an application's descriptors say of injection, besides what annotations say.
 *
 * @param targets what {@code injection-target}s ask for
 * @param callbacks what {@code post-construct} and {@code pre-destroy} ask for
 * @param annotated whether the annotations of classes from that folder or jar count: not where a descriptor says that it is complete
 */
public record InjectionRules(List<Target> targets, List<Callback> callbacks, Predicate<@Nullable URL> annotated) {

    /** Annotations only. */
    public static final InjectionRules NONE = new InjectionRules(List.of(), List.of(), location -> true);

    public InjectionRules {
        targets = List.copyOf(targets);
        callbacks = List.copyOf(callbacks);
    }

    /**
     * An {@code injection-target}.
     *
     * @param className of the class that declares the member
     * @param member name of a property with a setter, or of a field
     */
    public record Target(String className, String member, Reference reference) {}

    /**
     * A {@code post-construct} or {@code pre-destroy}; it replaces what annotations of the class say.
     *
     * @param className of the class that declares the method
     */
    public record Callback(Phase phase, String className, String method, String at) {}

    /** The two moments at which an object is told of its life. */
    public enum Phase {
        POST_CONSTRUCT("jakarta.annotation.PostConstruct"),
        PRE_DESTROY("jakarta.annotation.PreDestroy");

        private final String annotation;

        Phase(String annotation) {
            this.annotation = annotation;
        }

        String annotation() {
            return annotation;
        }

        /** As it stands before a class. */
        String shown() {
            return "@" + annotation.substring(annotation.lastIndexOf('.') + 1);
        }
    }
}
