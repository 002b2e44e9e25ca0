package io.penstock.injection;

import io.penstock.environment.Environment;
import io.penstock.environment.Reference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The injections and life cycle calls that each object of one class needs. At the start of the life cycle, the methods of super classes are
 * called first. At the end of the life cycle, the methods of super classes are called last.
 *
 * @param references the references that annotations on the class declare; these references have no injection point
 * @param points the injection points in the order of injection
 * @param begin the methods that are called after the injection, in order
 * @param end the methods that are called when the container releases the object, in order
 */
record InjectionPlan(List<Reference> references, List<InjectionPoint> points, List<Method> begin, List<Method> end) {
    private static final Logger LOG = LoggerFactory.getLogger(InjectionPlan.class);

    InjectionPlan {
        references = List.copyOf(references);
        points = List.copyOf(points);
        begin = List.copyOf(begin);
        end = List.copyOf(end);
    }

    void declareIn(Environment environment) {
        references.forEach(environment::declare);
        points.forEach(point -> environment.declare(point.reference()));
    }

    /** Injects a new object and calls its {@code @PostConstruct} methods. */
    void begin(Object instance, Environment environment, InjectionRules rules) throws InjectionException {
        for (InjectionPoint point : points) {
            point.inject(instance, environment, rules);
        }
        for (Method method : begin) {
            try {
                method.invoke(instance);
            } catch (InvocationTargetException e) {
                throw new InjectionException(shown(method) + " failed: " + e.getCause(), e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new InjectionException(shown(method) + " cannot be called: " + e, e);
            }
        }
    }

    /**
     * Calls the {@code @PreDestroy} methods. If a method throws an exception, the exception is logged, because no caller could handle it.
     * After that, the next method is called.
     */
    void end(Object instance) {
        for (Method method : end) {
            try {
                method.invoke(instance);
            } catch (InvocationTargetException e) {
                LOG.error("{} failed", shown(method), e.getCause());
            } catch (ReflectiveOperationException e) {
                LOG.error("{} cannot be called", shown(method), e);
            }
        }
    }

    private static String shown(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }
}
