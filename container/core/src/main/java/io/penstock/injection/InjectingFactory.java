package io.penstock.injection;

import io.penstock.context.ObjectFactory;
import io.penstock.environment.Environment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Creates an application's servlets, filters, listeners and handlers. The factory constructs an object, injects its resources, and then
 * calls the methods with the annotation {@code PostConstruct}. Instances that the application itself has constructed are not injected
 * (Servlet 6.1, sections 15.5 and 4.4).
 *
 * <p>Thread: any. Owns: the injection plans of the application's classes.
 */
public final class InjectingFactory implements ObjectFactory {
    private final Environment environment;
    private final InjectionRules rules;
    private final PlanReader reader;
    private final Map<Class<?>, InjectionPlan> plans = new ConcurrentHashMap<>();
    private final ManagedObjects managed = new ManagedObjects();

    public InjectingFactory(Environment environment, InjectionRules rules) {
        this.environment = environment;
        this.rules = rules;
        this.reader = new PlanReader(rules);
    }

    /**
     * Reads the injection points of the class, and declares the names that the injection points use.
     *
     * @throws InjectionException if an annotation is not allowed at its place, for example on a static field, or if the text of the operator
     *     for an injection point is not of its type
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
        for (InjectionPoint point : read.points()) {
            point.converted(type, rules);
        }
        plans.put(type, read);
        return read;
    }

    @Override
    public <T> T create(Class<T> type) throws ReflectiveOperationException {
        InjectionPlan plan = plan(type);
        T instance = REFLECTIVE.create(type);
        plan.begin(instance, environment, rules);
        if (!plan.end().isEmpty()) {
            managed.add(instance);
        }
        return instance;
    }

    @Override
    public void release(Object instance) {
        InjectionPlan plan = plans.get(instance.getClass());
        if (plan != null && managed.remove(instance)) {
            plan.end(instance);
        }
    }
}
