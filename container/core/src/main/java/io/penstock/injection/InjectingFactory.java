package io.penstock.injection;

import io.penstock.context.ObjectFactory;
import io.penstock.environment.Environment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes an application's servlets, filters, listeners and handlers: constructs, injects, then tells them that all is there. What the
 * application has constructed itself is left as it is (Servlet 6.1, 15.5 and 4.4).
 *
 * <p>Thread: any. Owns: the plans of the application's classes, which go with it.
 */
public final class InjectingFactory implements ObjectFactory {
    private final Environment environment;
    private final PlanReader reader;
    private final Map<Class<?>, InjectionPlan> plans = new ConcurrentHashMap<>();
    private final AliveObjects alive = new AliveObjects();

    public InjectingFactory(Environment environment, InjectionRules rules) {
        this.environment = environment;
        this.reader = new PlanReader(rules);
    }

    /**
     * Reads what the class asks for, and declares the names that it uses.
     *
     * @throws InjectionException if it asks in a way that cannot be: an annotation on a static field, a method with parameters
     */
    public void prepare(Class<?> type) throws InjectionException {
        plan(type);
    }

    private InjectionPlan plan(Class<?> type) throws InjectionException {
        InjectionPlan known = plans.get(type);
        if (known != null) {
            return known;
        }
        InjectionPlan read = reader.read(type);
        read.declareIn(environment);
        plans.put(type, read);
        return read;
    }

    @Override
    public <T> T create(Class<T> type) throws ReflectiveOperationException {
        InjectionPlan plan = plan(type);
        T instance = REFLECTIVE.create(type);
        plan.begin(instance, environment);
        if (!plan.end().isEmpty()) {
            alive.add(instance);
        }
        return instance;
    }

    @Override
    public void release(Object instance) {
        InjectionPlan plan = plans.get(instance.getClass());
        if (plan != null && alive.remove(instance)) {
            plan.end(instance);
        }
    }
}
