package io.penstock.injection;

import io.penstock.classfile.ClassMembers;
import io.penstock.environment.Reference;
import io.penstock.injection.InjectionRules.Phase;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the injection points and life cycle methods of a class and its super classes. Thread: any. */
final class PlanReader {
    private static final Logger LOG = LoggerFactory.getLogger(PlanReader.class);
    private static final String PACKAGE = "jakarta.annotation.";

    private final InjectionRules rules;

    PlanReader(InjectionRules rules) {
        this.rules = rules;
    }

    InjectionPlan read(Class<?> type) throws InjectionException {
        List<Reference> references = new ArrayList<>();
        List<InjectionPoint> points = new ArrayList<>();
        List<Method> begin = new ArrayList<>();
        List<Method> end = new ArrayList<>();
        Set<String> overridden = new HashSet<>();
        for (Class<?> next = type; isOfInterest(next); next = next.getSuperclass()) {
            ClassPart part = new ClassPart(next, members(next), rules, overridden);
            addFirst(references, part.references());
            addFirst(points, part.points());
            addFirst(begin, part.callbacks(Phase.POST_CONSTRUCT));
            // At the end of the life cycle, a class comes before its super class.
            end.addAll(part.callbacks(Phase.PRE_DESTROY));
            overridden.addAll(part.overriding());
        }
        return new InjectionPlan(references, points, begin, end);
    }

    private static <T> void addFirst(List<T> all, List<T> ofSuperClass) {
        all.addAll(0, ofSuperClass);
    }

    /** Whether the class can have injection points. Classes of the Java platform and of the Servlet API have none. */
    private static boolean isOfInterest(@Nullable Class<?> type) {
        return type != null
                && !type.getName().startsWith("java.")
                && !type.getName().startsWith("jakarta.servlet.");
    }

    /**
     * The members of the class. The annotations of the members are included only if {@link InjectionRules#annotated} accepts the location
     * of the class.
     */
    private ClassMembers members(Class<?> type) {
        boolean annotated = rules.annotated().test(location(type));
        try {
            return ClassMembers.of(type, name -> annotated && name.startsWith(PACKAGE));
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn(
                    "{}: its annotations are ignored, since its class file cannot be read: {}",
                    type.getName(),
                    e.toString());
            return ClassMembers.NONE;
        }
    }

    private static @Nullable URL location(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null ? null : source.getLocation();
    }

    /** The values of all {@code Resource} annotations, including the annotations inside a {@code Resources} annotation. */
    static List<Map<?, ?>> resources(Map<String, Map<String, Object>> annotations) {
        List<Map<?, ?>> found = new ArrayList<>();
        Map<String, Object> one = annotations.get(PACKAGE + "Resource");
        if (one != null) {
            found.add(one);
        }
        Object several =
                annotations.getOrDefault(PACKAGE + "Resources", Map.of()).get("value");
        if (several instanceof List<?> list) {
            for (Object element : list) {
                if (element instanceof Map<?, ?> values) {
                    found.add(values);
                }
            }
        }
        return found;
    }
}
