package result

// ReadAll reads result files. A missing file is an [io/fs.ErrNotExist].
func ReadAll(files ...string) (results []Result, err error) {
	for _, file := range files {
		r, err := Read(file)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}
