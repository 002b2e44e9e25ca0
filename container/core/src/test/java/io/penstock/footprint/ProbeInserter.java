package io.penstock.footprint;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Inserts calls to {@link Probes} into a class. A call is inserted where a method begins, returns, catches an exception, takes a lock or
 * creates an object. Two kinds of locks are not counted: locks inside the JDK, and a lock that a thread takes again after a wait.
 */
final class ProbeInserter extends ClassVisitor {
    private static final String PROBES = "io/penstock/footprint/Probes";
    private static final Set<String> LOCKS = Set.of(
            "java/util/concurrent/locks/Lock",
            "java/util/concurrent/locks/ReentrantLock",
            "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock",
            "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock");

    private final String root;
    private String file = "";

    private ProbeInserter(String root, ClassVisitor to) {
        super(Opcodes.ASM9, to);
        this.root = root;
    }

    /** @param root the prefix of the internal names of the measured classes, such as {@code io/penstock/} */
    static byte[] insert(byte[] classFile, String root) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        reader.accept(new ProbeInserter(root, writer), 0);
        return writer.toByteArray();
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        file = shown(name).replaceFirst("\\$.*", "");
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String type, String signature, String[] exceptions) {
        MethodVisitor to = super.visitMethod(access, name, type, signature, exceptions);
        return new Method(to, name, (access & Opcodes.ACC_SYNCHRONIZED) != 0);
    }

    private String shown(String internalName) {
        return internalName.substring(root.length());
    }

    private final class Method extends MethodVisitor {
        private final int number = Probes.site(file);
        private final String name;
        private final boolean isSynchronized;
        private final Set<Label> handlers = new HashSet<>();
        private boolean catches;
        private int line;

        Method(MethodVisitor to, String name, boolean isSynchronized) {
            super(Opcodes.ASM9, to);
            this.name = name;
            this.isSynchronized = isSynchronized;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            call("entered", "(I)V", number);
            if (isSynchronized) {
                call("locked", "(I)V", location(""));
            }
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
            handlers.add(handler);
            super.visitTryCatchBlock(start, end, handler, type);
        }

        @Override
        public void visitLabel(Label label) {
            super.visitLabel(label);
            catches |= handlers.contains(label);
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            super.visitLineNumber(number, start);
        }

        /**
         * Inserts the call to {@link Probes#caught}. Each exception handler begins with a stack map frame, and no instruction can be
         * inserted before this frame.
         */
        @Override
        public void visitFrame(int type, int numLocal, Object[] local, int numStack, Object[] stack) {
            super.visitFrame(type, numLocal, local, numStack, stack);
            if (catches) {
                catches = false;
                call("caught", "(I)V", number);
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                call("left", "(I)V", number);
            }
            super.visitInsn(opcode);
            if (opcode == Opcodes.MONITORENTER) {
                call("locked", "(I)V", location(""));
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String called, String type, boolean isInterface) {
            super.visitMethodInsn(opcode, owner, called, type, isInterface);
            if (LOCKS.contains(owner)) {
                if (called.equals("lock") || called.equals("lockInterruptibly")) {
                    call("locked", "(I)V", location(""));
                } else if (called.equals("tryLock")) {
                    super.visitInsn(Opcodes.DUP);
                    call("tried", "(ZI)V", location(""));
                }
            }
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            super.visitTypeInsn(opcode, type);
            if (opcode == Opcodes.NEW && type.startsWith(root)) {
                call("made", "(I)V", location(shown(type) + " in "));
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String called, String type, Handle bootstrap, Object... arguments) {
            boolean captures = !type.startsWith("()");
            if (captures && bootstrap.getOwner().equals("java/lang/invoke/LambdaMetafactory")) {
                call("made", "(I)V", location("lambda in "));
            }
            super.visitInvokeDynamicInsn(called, type, bootstrap, arguments);
        }

        private int location(String what) {
            return Probes.site(what + file + "." + name + (line == 0 ? "" : ":" + line));
        }

        private void call(String probe, String type, int argument) {
            super.visitLdcInsn(argument);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, PROBES, probe, type, false);
        }
    }
}
