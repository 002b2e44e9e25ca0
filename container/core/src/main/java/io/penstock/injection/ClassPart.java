package io.penstock.injection;

import io.penstock.classfile.ClassMembers;
import io.penstock.classfile.ClassMembers.Member;
import io.penstock.environment.Reference;
import io.penstock.injection.InjectionRules.Callback;
import io.penstock.injection.InjectionRules.Phase;
import io.penstock.injection.InjectionRules.Target;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The injection points and life cycle methods that one class itself declares, without its super classes.
 *
 * @param overridden the names and descriptors of the methods that a subclass overrides. Only the method of the subclass is called
 */
record ClassPart(Class<?> type, ClassMembers members, InjectionRules rules, Set<String> overridden) {

    /** The names and descriptors of the methods of this class that can override a method of a super class. */
    List<String> overriding() {
        return members.methods().stream()
                .filter(method -> (method.access() & (Modifier.PRIVATE | Modifier.STATIC)) == 0)
                .map(ClassPart::signature)
                .toList();
    }

    private static String signature(Member method) {
        return method.name() + method.descriptor();
    }

    private boolean isOverridden(Member method) {
        return !Modifier.isPrivate(method.access()) && overridden.contains(signature(method));
    }

    /** The references that annotations on the class declare. */
    List<Reference> references() throws InjectionException {
        List<Reference> declared = new ArrayList<>();
        for (Map<?, ?> values : PlanReader.resources(members.annotations())) {
            String name = text(values, "name");
            if (name == null) {
                throw new InjectionException(type.getName() + ": @Resource on a class needs a name");
            }
            declared.add(new Reference(name, wanted(values), text(values, "lookup"), type.getName()));
        }
        return declared;
    }

    /**
     * The injection points. Annotated fields come first, then annotated setters, both in the order of the class file. The injection points
     * that the descriptor declares come last.
     */
    List<InjectionPoint> points() throws InjectionException {
        List<InjectionPoint> points = new ArrayList<>();
        for (Member field : members.fields()) {
            for (Map<?, ?> values : PlanReader.resources(field.annotations())) {
                if (target(field.name()) == null) {
                    points.add(point(field(field), reference(field.name(), values, field.name())));
                }
            }
        }
        for (Member method : members.methods()) {
            for (Map<?, ?> values : PlanReader.resources(method.annotations())) {
                String property = property(method);
                if (target(property) == null && !isOverridden(method)) {
                    points.add(point(setter(method), reference(property, values, method.name())));
                }
            }
        }
        for (Target target : targets()) {
            points.add(point(target));
        }
        return points;
    }

    private Stream<Target> ownTargets() {
        return rules.targets().stream().filter(target -> target.className().equals(type.getName()));
    }

    private List<Target> targets() {
        return ownTargets().toList();
    }

    private @Nullable Target target(String member) {
        return ownTargets()
                .filter(target -> target.member().equals(member))
                .findFirst()
                .orElse(null);
    }

    private Reference reference(String property, Map<?, ?> values, String member) {
        String name = text(values, "name");
        return new Reference(
                name == null ? type.getName() + "/" + property : name,
                wanted(values),
                text(values, "lookup"),
                type.getName() + "." + member);
    }

    private static @Nullable String text(Map<?, ?> values, String key) {
        return values.get(key) instanceof String text && !text.isEmpty() ? text : null;
    }

    /** The type that an annotation names. {@code Object} is the default, so it means that the annotation names no type. */
    private static @Nullable String wanted(Map<?, ?> values) {
        String wanted = text(values, "type");
        return wanted == null || wanted.equals("java.lang.Object") ? null : wanted;
    }

    private static InjectionPoint point(Field field, Reference reference) {
        return new InjectionPoint.OfField(field, typed(reference, field.getType()));
    }

    private static InjectionPoint point(Method setter, Reference reference) {
        return new InjectionPoint.OfSetter(setter, typed(reference, setter.getParameterTypes()[0]));
    }

    private static Reference typed(Reference reference, Class<?> type) {
        return reference.type() != null
                ? reference
                : new Reference(reference.name(), type.getName(), reference.lookup(), reference.at());
    }

    /** A setter takes precedence over a field of the same name (Jakarta EE 5.2.5). */
    private InjectionPoint point(Target target) throws InjectionException {
        for (Member method : members.methods()) {
            if (method.name().equals(setterName(target.member())) && method.parameters() == 1) {
                return point(setter(method), target.reference());
            }
        }
        for (Member field : members.fields()) {
            if (field.name().equals(target.member())) {
                return point(field(field), target.reference());
            }
        }
        throw new InjectionException(target.reference().at() + ": the injection target " + type.getName()
                + " has no setter and no field '" + target.member() + "'");
    }

    private static String setterName(String property) {
        return "set" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
    }

    /**
     * The name of the property that the method sets. The name follows the JavaBeans rules: the property of {@code setURL} is {@code URL}.
     */
    private String property(Member method) throws InjectionException {
        String name = method.name();
        if (!name.startsWith("set") || name.length() == 3 || method.parameters() != 1) {
            throw new InjectionException(
                    shown(name) + ": @Resource belongs on a field, a class, or a setter with one parameter");
        }
        String rest = name.substring(3);
        boolean capitals =
                rest.length() > 1 && Character.isUpperCase(rest.charAt(0)) && Character.isUpperCase(rest.charAt(1));
        return capitals ? rest : rest.substring(0, 1).toLowerCase(Locale.ROOT) + rest.substring(1);
    }

    /**
     * The life cycle method of this class for a phase. The list has at most one element. The list is empty if a subclass overrides the
     * method.
     */
    List<Method> callbacks(Phase phase) throws InjectionException {
        List<Member> found = new ArrayList<>();
        List<Callback> declared = rules.callbacks().stream()
                .filter(callback ->
                        callback.phase() == phase && callback.className().equals(type.getName()))
                .toList();
        for (Callback callback : declared) {
            found.add(declared(callback));
        }
        if (declared.isEmpty()) {
            members.methods().stream()
                    .filter(method -> method.annotations().containsKey(phase.annotation()))
                    .forEach(found::add);
        }
        if (found.stream().distinct().count() > 1) {
            throw new InjectionException(type.getName() + " has more than one method for " + phase.shown() + ": "
                    + found.stream().map(Member::name).distinct().toList());
        }
        List<Method> methods = new ArrayList<>();
        for (Member member : found.stream().distinct().toList()) {
            requireCallback(member, phase);
            if (!isOverridden(member)) {
                methods.add(method(member));
            }
        }
        return methods;
    }

    private Member declared(Callback callback) throws InjectionException {
        return members.methods().stream()
                .filter(method -> method.name().equals(callback.method()) && method.parameters() == 0)
                .findFirst()
                .orElseThrow(() -> new InjectionException(callback.at() + ": " + type.getName() + " has no method '"
                        + callback.method() + "' without parameters"));
    }

    private void requireCallback(Member method, Phase phase) throws InjectionException {
        if (!method.descriptor().equals("()V") || Modifier.isStatic(method.access())) {
            throw new InjectionException(shown(method.name()) + ": " + phase.shown()
                    + " needs an instance method without parameters and result");
        }
    }

    private Field field(Member member) throws InjectionException {
        if ((member.access() & (Modifier.STATIC | Modifier.FINAL)) != 0) {
            throw new InjectionException(shown(member.name()) + ": a static or final field cannot be injected");
        }
        try {
            Field field = type.getDeclaredField(member.name());
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException | LinkageError | InaccessibleObjectException e) {
            throw new InjectionException(shown(member.name()) + " cannot be injected: " + e, e);
        }
    }

    private Method setter(Member member) throws InjectionException {
        if (Modifier.isStatic(member.access())) {
            throw new InjectionException(shown(member.name()) + ": a static method cannot be injected");
        }
        return method(member);
    }

    private Method method(Member member) throws InjectionException {
        try {
            for (Method method : type.getDeclaredMethods()) {
                if (member.describes(method)) {
                    method.setAccessible(true);
                    return method;
                }
            }
        } catch (LinkageError | InaccessibleObjectException e) {
            throw new InjectionException(shown(member.name()) + " cannot be called: " + e, e);
        }
        throw new InjectionException(shown(member.name()) + " is not in the loaded class");
    }

    private String shown(String member) {
        return type.getName() + "." + member;
    }
}
