// Empty: functions without a body, which are linked by name, ask for a file of assembler.
