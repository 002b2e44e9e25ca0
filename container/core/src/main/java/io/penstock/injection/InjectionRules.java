package io.penstock.injection;

import io.penstock.environment.Reference;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The injection targets and life cycle methods that an application's descriptors declare, in addition to annotations.
 *
 * @param targets the {@code injection-target} elements
 * @param callbacks the {@code post-construct} and {@code pre-destroy} elements
 * @param annotated whether the annotations of the classes at a location (a folder or a jar) are used. The annotations are ignored if the
 *     descriptor of the location is metadata-complete
 * @param texts the operator's environment entries without a type, by their full names. They are converted to the types of the members that
 *     they are injected into
 */
public record InjectionRules(
        List<Target> targets, List<Callback> callbacks, Predicate<@Nullable URL> annotated, Map<String, String> texts) {

    /** Only annotations declare injections. */
    public static final InjectionRules NONE = new InjectionRules(List.of(), List.of(), location -> true, Map.of());

    public InjectionRules {
        targets = List.copyOf(targets);
        callbacks = List.copyOf(callbacks);
        texts = Map.copyOf(texts);
    }

    /**
     * An {@code injection-target} element.
     *
     * @param className the class that declares the member
     * @param member the name of a property with a setter, or of a field
     */
    public record Target(String className, String member, Reference reference) {}

    /**
     * A {@code post-construct} or {@code pre-destroy} element. For its phase, the element replaces the annotations of the class.
     *
     * @param className the class that declares the method
     */
    public record Callback(Phase phase, String className, String method, String at) {}

    /** The two life cycle callbacks. */
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

        /** The annotation with its simple name, as in source code. */
        String shown() {
            return "@" + annotation.substring(annotation.lastIndexOf('.') + 1);
        }
    }
}
