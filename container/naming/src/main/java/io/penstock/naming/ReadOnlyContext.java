package io.penstock.naming;

import java.util.Hashtable;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;

/** A context whose names applications can read but not change (Jakarta EE 5.2). Thread: one at a time, as {@link Context} requires. */
// The check BanJNDI warns of look-ups with names from clients. The methods of this class only pass on names of the
// application.
@SuppressWarnings("BanJNDI")
abstract class ReadOnlyContext implements Context {
    private final Hashtable<String, Object> environment = new Hashtable<>();

    ReadOnlyContext(@Nullable Hashtable<?, ?> environment) {
        if (environment != null) {
            environment.forEach((key, value) -> this.environment.put(String.valueOf(key), value));
        }
    }

    @Override
    public Object lookup(Name name) throws NamingException {
        return lookup(name.toString());
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return lookup(name.toString());
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return lookup(name);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        return list(name.toString());
    }

    @Override
    public NamingEnumeration<javax.naming.Binding> listBindings(Name name) throws NamingException {
        return listBindings(name.toString());
    }

    @Override
    public NameParser getNameParser(Name name) throws NamingException {
        return getNameParser(name.toString());
    }

    @Override
    public NameParser getNameParser(String name) throws NamingException {
        return CompositeName::new;
    }

    @Override
    public Name composeName(Name name, Name prefix) throws NamingException {
        return ((Name) prefix.clone()).addAll(name);
    }

    @Override
    public String composeName(String name, String prefix) throws NamingException {
        return prefix.isEmpty() ? name : name.isEmpty() ? prefix : prefix + "/" + name;
    }

    @Override
    public @Nullable Object addToEnvironment(String key, Object value) {
        return environment.put(key, value);
    }

    @Override
    public @Nullable Object removeFromEnvironment(String key) {
        return environment.remove(key);
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    @Override
    public void close() {}

    private static OperationNotSupportedException readOnly() {
        return new OperationNotSupportedException("an application cannot change its names");
    }

    @Override
    public void bind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void bind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(Name from, Name to) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(String from, String to) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        throw readOnly();
    }
}
